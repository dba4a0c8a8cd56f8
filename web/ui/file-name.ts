const LENGTH_MAX = 120
const ENDING = '.txt'

/** Separators, wild cards and control characters of one file system or another, and signs that turn text around. */
const ILLEGAL = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** Names of devices, which Windows gives to no file whatever its ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** `{article name}.txt` as every file system takes it (spec section 2, Q66). */
export function textFileName(articleName: string): string {
  const legal = articleName.normalize('NFC').replace(ILLEGAL, '-')
  const short = cut(legal, LENGTH_MAX - ENDING.length - 1)
  const bare = short.replace(/^[.\s]+|[.\s]+$/gu, '') || 'article'
  return `${RESERVED.test(bare) ? '_' : ''}${bare}${ENDING}`
}

/** At most `length` code units, without half of a character at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
