/** What a list's marker may mean: 'v.' is the fifth Roman numeral or the 22nd letter. */
export type Reading = { number: number; type: string | null }

/** `readings` has the likeliest first; it is empty for a bullet. */
export type ListItem = { item: HTMLElement; level: number; readings: Reading[] }

type OpenList = { list: HTMLElement; type: string | null; next: number }

/**
 * Nests pasted items into lists by their levels. A level that skips one counts as the next one. Another kind of marker
 * on the same level, or a number out of sequence, begins another list.
 */
export function nestedLists(items: readonly ListItem[]): HTMLElement[] {
  const lists: HTMLElement[] = []
  const open: OpenList[] = []
  for (const { item, level, readings } of items) {
    open.length = Math.min(open.length, Math.max(level, 1))
    const depth = Math.min(Math.max(level, 1), open.length + 1)
    const going = open[depth - 1]
    if (going && isNext(going, readings)) {
      going.list.append(item)
      going.next += 1
      continue
    }
    open.length = depth - 1
    const begun = beginList(item, readings[0])
    const above = open.at(-1)?.list.lastElementChild
    if (above) above.append(begun.list)
    else lists.push(begun.list)
    open.push(begun)
  }
  return lists
}

const isNext = ({ list, type, next }: OpenList, readings: readonly Reading[]): boolean =>
  list.nodeName === 'UL'
    ? readings.length === 0
    : readings.some((reading) => reading.number === next && reading.type === type)

function beginList(item: HTMLElement, reading: Reading | undefined): OpenList {
  const list = item.ownerDocument.createElement(reading ? 'ol' : 'ul')
  const { number, type } = reading ?? { number: 1, type: null }
  if (reading) list.setAttribute('start', String(number))
  if (type) list.setAttribute('type', type)
  list.append(item)
  return { list, type, next: number + 1 }
}

const BULLET = /^(?:[^\p{L}\p{N}]*|[^\p{N}])$/u
/** The last number of "2.1." is the item's own. */
const NUMBER = /^\(?(?:\d{1,6}\.)*(\d{1,6})[.):]?$/
const LETTERS = /^\(?([a-z]{1,7})[.)]$/i

/** Null for a marker that is neither a bullet nor a number. */
export function markerReadings(marker: string): Reading[] | null {
  if (BULLET.test(marker)) return []
  const number = NUMBER.exec(marker)?.[1]
  if (number) return [{ number: Number(number), type: null }]
  const letters = LETTERS.exec(marker)?.[1]
  if (!letters) return null
  const small = letters.toLowerCase()
  const isSmall = letters === small
  const roman = romanNumber(small)
  const asRoman = roman === null ? [] : [{ number: roman, type: isSmall ? 'i' : 'I' }]
  const asLetter =
    small.length === 1 ? [{ number: small.charCodeAt(0) - 96, type: isSmall ? 'a' : 'A' }] : []
  const readings = small === 'i' ? [...asRoman, ...asLetter] : [...asLetter, ...asRoman]
  return readings.length > 0 ? readings : null
}

const ROMAN_DIGITS = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1_000 }

function romanNumber(letters: string): number | null {
  if (!/^m*(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(letters)) return null
  const values = [...letters].map((letter) => ROMAN_DIGITS[letter as keyof typeof ROMAN_DIGITS])
  return values.reduce(
    (sum, value, index) => (value < (values[index + 1] ?? 0) ? sum - value : sum + value),
    0,
  )
}
