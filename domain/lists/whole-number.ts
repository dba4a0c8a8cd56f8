const SIGNS = "[.,'’ \\u00a0\\u202f\\u2009]"
const PLAIN = /^\d+$/
const GROUPED = new RegExp(`^[1-9]\\d{0,2}(${SIGNS})\\d{3}(?:\\1\\d{3})*$`, 'u')
/** Decimals that say nothing, as in `900,00`. */
const DECIMALS = /([.,])0{1,2}$/

/**
 * A whole number as a spreadsheet shows it, with any sign between its thousands: `1,200`, `1.200`, `1 200`, `1200.00`.
 * Null when there is anything else.
 */
export function wholeNumber(cell: string): number | null {
  const text = cell.trim()
  const sign = DECIMALS.exec(text)?.[1]
  const whole = text.replace(DECIMALS, '')
  const thousands = GROUPED.exec(whole)?.[1]
  if (!PLAIN.test(whole) && (thousands === undefined || thousands === sign)) return null
  return Number(whole.replace(/\D/g, ''))
}
