/** Months of the agency, `YYYY-MM`. */

const MONTH = /^(20\d\d|21\d\d)-(0[1-9]|1[0-2])$/
/** How many months the field offers. */
const OFFERED = 24

export const isMonth = (text: string | null): text is string => text !== null && MONTH.test(text)

/** This one and those before it, newest first; `chosen` is one of them even if it is older or yet to come. */
export function offeredMonths(current: string, chosen: string): string[] {
  const [year = 0, month = 1] = current.split('-').map(Number)
  const months = Array.from({ length: OFFERED }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  )
  if (months.includes(chosen)) return months
  return [...months, chosen].sort().reverse()
}
