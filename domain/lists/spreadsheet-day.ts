import { addDays, isDueDay } from '../calendar/due-date.ts'
import { foldName } from '../names/folded-name.ts'

/**
 * Days as people and spreadsheets write them: `2026-12-03`, `03.12.2026`, `12/3/26`, `3 Dec 2026`, `3. Dezember 2026`,
 * `46359`. With points the day comes first, everywhere; with strokes, the unambiguous cells of the column that have the
 * same sign decide which of two numbers is the month.
 */
export type DayOrder = 'day first' | 'month first'

export type ColumnDays = {
  /** Of dates with strokes. */
  order: DayOrder
  /** What is between the numbers, the most frequent first. */
  signs: readonly string[]
  /**
   * False when dates with strokes contradict each other, or those with one sign allow both orders: an admin has to
   * choose.
   */
  isSure: boolean
}

/** Two numbers that may be day and month, and a year. */
const NUMBERS = /^(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d\d)\.?$/
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/
const DIGITS = /^(\d{4})(\d\d)(\d\d)$/
/** Days since 30 December 1899, as spreadsheets store them; the part after the sign is the time of the day. */
const SERIAL = /^(\d{5,6})(?:[.,]\d+)?$/
const SERIAL_START = '1899-12-30'
const TIME = /(?:[T ]|, ?)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i

/** The order in a column of cells; null when no cell needs one. A number above 12 is a day. */
export function orderOfDays(cells: Iterable<string>): ColumnDays | null {
  const signs = new Map<string, number>()
  const [open, decided] = [new Set<string>(), new Set<string>()]
  let [dayFirst, monthFirst] = [0, 0]
  for (const cell of cells) {
    const found = NUMBERS.exec(plainDay(cell))
    if (found === null) continue
    const [, first = '', sign = '', second = ''] = found
    signs.set(sign, (signs.get(sign) ?? 0) + 1)
    if (sign === '.') continue
    if (Number(first) > 12) dayFirst += 1
    else if (Number(second) > 12) monthFirst += 1
    if (Number(first) > 12 || Number(second) > 12) decided.add(sign)
    else if (Number(first) !== Number(second)) open.add(sign)
  }
  if (signs.size === 0) return null
  return {
    order: monthFirst > dayFirst ? 'month first' : 'day first',
    signs: [...signs].sort(([, a], [, b]) => b - a).map(([sign]) => sign),
    isSure: (dayFirst === 0 || monthFirst === 0) && [...open].every((sign) => decided.has(sign)),
  }
}

/** The day of a cell as `YYYY-MM-DD`, from 2000 to 2199; null when it is none. */
export function readDay(cell: string, order: DayOrder): string | null {
  const text = plainDay(cell)
  const numbers = NUMBERS.exec(text)
  if (numbers !== null) {
    const [, first = '', sign, second = '', year = ''] = numbers
    return sign === '.' || order === 'day first'
      ? dayOf(year, second, first)
      : dayOf(year, first, second)
  }
  const ordered = YEAR_FIRST.exec(text)
  if (ordered !== null) return dayOf(ordered[1], ordered[3], ordered[4])
  const digits = DIGITS.exec(text)
  if (digits !== null) return dayOf(digits[1], digits[2], digits[3])
  const serial = SERIAL.exec(text)
  if (serial !== null) return dueDay(addDays(SERIAL_START, Number(serial[1])))
  return dayInWords(text)
}

const plainDay = (cell: string): string => cell.replace(/\s/gu, ' ').trim().replace(TIME, '').trim()

const dueDay = (day: string): string | null => (isDueDay(day) ? day : null)

/** Two digits of a year are of this century. */
function dayOf(year = '', month = '', day = ''): string | null {
  const written = [
    year.length === 2 ? `20${year}` : year,
    month.padStart(2, '0'),
    day.padStart(2, '0'),
  ].join('-')
  const time = Date.parse(written)
  // Some engines read 31 February as a day in March.
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(written)
  return isDay ? dueDay(written) : null
}

/** Folded names of each month, in English, German, French and Spanish. */
const MONTHS = [
  'jan january januar janner janvier janv enero ene',
  'feb february februar feber fevrier fevr fev febrero',
  'mar march marz maerz mrz mars marzo',
  'apr april avril avr abril abr',
  'may mai mayo',
  'jun june juni juin junio',
  'jul july juli juillet juil julio',
  'aug august aout agosto ago',
  'sep sept september septembre septiembre setiembre set',
  'oct october okt oktober octobre octubre',
  'nov november novembre noviembre',
  'dec december dez dezember decembre diciembre dic',
]
const MONTH_OF = new Map(
  MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
)
const WEEKDAY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|mon|tues?|wed|thur?s?|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|sab|dom)$/
const BETWEEN = /^(?:of|the|de|del|le|el|am|den|du)$/

/** `3 Dec 2026`, `Thursday, December 3rd, 2026`, `2026 Dec 3`, `3-Dec-26`. */
function dayInWords(text: string): string | null {
  const words = foldName(text)
    .split(/[\s.,/-]+/)
    .filter((word) => word !== '' && !BETWEEN.test(word))
  // `mar.` is Tuesday or March.
  const isAfterWeekday = WEEKDAY.test(words[0] ?? '') && words.length === 4
  const parts = isAfterWeekday ? words.slice(1) : words
  const month = parts.map((part) => MONTH_OF.get(part)).find((number) => number !== undefined)
  const numbers = parts.filter((part) => !MONTH_OF.has(part))
  if (parts.length !== 3 || month === undefined || numbers.length !== 2) return null
  const [first = '', second = ''] = numbers.map((part) => part.replace(ORDINAL, ''))
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  return /^\d{1,2}$/.test(day) && /^(?:\d{4}|\d\d)$/.test(year)
    ? dayOf(year, String(month), day)
    : null
}

const ORDINAL = /(?<=^\d{1,2})(?:st|nd|rd|th|er|[oaº])$/
