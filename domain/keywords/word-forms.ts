/**
 * Which folded words are forms of one word. There is no dictionary: both must have one stem and endings of one row.
 * Endings that often belong to another word (`flow`, `flower`) are left out, because no reason is better than a wrong
 * one.
 */
export const areForms = (one: string, other: string): boolean =>
  one !== other &&
  (one[0] === other[0]
    ? haveEndings(one, other) || isIrregular(one, other)
    : isPrefixed(one, other)) &&
  !LOOK_ALIKE.has(`${one} ${other}`) &&
  !LOOK_ALIKE.has(`${other} ${one}`)

const LOOK_ALIKE = new Set([
  'doe does',
  'even evening',
  'even evenings',
  'good goods',
  'long longing',
  'mean means',
  'new news',
  'short shorts',
  'stock stocking',
  'stock stockings',
  'well wells',
  'will willing',
])

/** Endings after a stem that matches; a stem of two rows counts in each of them. */
type Row = { stem: RegExp; endings: readonly string[] }

const row = (stem: RegExp, endings: string): Row => ({
  stem,
  endings: endings.split(' ').map((ending) => (ending === '-' ? '' : ending)),
})

/** `-` is a word without an ending. Greek has no accents here and no final sigma, Hebrew no final letters. */
const ROWS: readonly Row[] = [
  row(/^[a-z\u00df-\u024f]{2,}[^s]$/, '- s'),
  row(/^[a-z]{2,}([sxzo]|ch|sh)$/, '- es'),
  row(/^[a-z]+[^aeiou]$/, 'y ies ied'),
  row(/^[a-z]{3,}$/, 'f ves'),
  row(/(li|wi|kni)$/, 'fe ves'),
  row(/^[a-z]{4,}$/, '- s ed ing ings'),
  row(/^[a-z]{4,}$/, 'e es ed ing ings'),
  row(/^[a-z]{4,}$/, 'us i'),
  row(/^[a-z]{4,}$/, 'um a'),
  row(/^[a-z]{4,}$/, 'is es'),
  row(/^[a-z]{2,}(eau|eu)$/, '- x'),
  row(/^[a-z\u00df-\u024f]{4,}e$/, '- n'),
  row(
    /^\p{sc=Cyrillic}{4,}$/u,
    '- а я о е ё ы и і ї у ю ь й ой ей ою ею ом ем ём ам ям ах ях ами ями ов ев ів їв ий ый ая яя ое ее ые ие ого его ому ему ым им ых их ыми ими ую юю',
  ),
  row(
    /^\p{sc=Greek}{4,}$/u,
    'οσ ου ο ον ε οι ων ουσ η ησ α ασ εσ ι ια ιου ιων ιεσ ισ εισ εωσ εων μα ματα ματοσ ματων',
  ),
  row(/^\p{sc=Hebrew}{4,}$/u, '- ימ ות'),
  row(/^\p{sc=Hebrew}{4,}$/u, 'ה ת ות'),
  row(/^\p{sc=Arabic}{4,}$/u, '- ون ين ات'),
  row(/^\p{sc=Arabic}{4,}$/u, 'ة ات'),
  row(/^\p{sc=Hangul}{2,}$/u, '- 은 는 을 를 에서 으로'),
]

const ENDING_MAX = 5

function haveEndings(one: string, other: string): boolean {
  if (one[1] !== other[1]) return false
  const [a, b] = [withoutFinals(one), withoutFinals(other)]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared += 1
  const least = Math.max(2, Math.max(a.length, b.length) - ENDING_MAX)
  for (let length = shared; length >= least; length -= 1) {
    const [stem, first, second] = [a.slice(0, length), a.slice(length), b.slice(length)]
    if (haveRow(stem, first, second) || isDoubled(stem, first, second)) return true
  }
  return false
}

const haveRow = (stem: string, first: string, second: string): boolean =>
  ROWS.some(
    ({ stem: fits, endings }) =>
      endings.includes(first) && endings.includes(second) && fits.test(stem),
  )

/** `plan`, `planning`. */
function isDoubled(stem: string, first: string, second: string): boolean {
  const last = stem.at(-1) ?? ''
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  return (
    /^[a-z]{3,}[^aeiouwxy]$/.test(stem) &&
    ['', 's'].includes(short) &&
    ['ed', 'ing', 'ings'].some((ending) => long === last + ending)
  )
}

const FINALS: Record<string, string> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }
const withoutFinals = (word: string): string =>
  word.replace(/[ךםןףץ]/g, (letter) => FINALS[letter] ?? letter)

const IRREGULAR = [
  ['man', 'men'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['goose', 'geese'],
  ['mouse', 'mice'],
  ['child', 'children'],
  ['person', 'people'],
] as const

/** Compounds too: `craftsman`, `craftsmen`. */
function isIrregular(one: string, other: string): boolean {
  const isPlural = (a: string, b: string, [single, plural]: readonly [string, string]) =>
    a.endsWith(single) && b === a.slice(0, a.length - single.length) + plural
  return IRREGULAR.some((pair) => isPlural(one, other, pair) || isPlural(other, one, pair))
}

/** Articles and other small words that Hebrew and Arabic write at the begin of the next word. */
const PREFIX = /^(?:[והבכלמש]|וה|שה|מה|[وفبك]?ال|لل)$/
const PREFIXED_MIN = 4

const isPrefixed = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const prefix = long.slice(0, long.length - short.length)
  return short.length >= PREFIXED_MIN && long.endsWith(short) && PREFIX.test(prefix)
}
