/** Limit of file systems, in bytes of UTF-8. */
const BYTES_MAX = 255
const LENGTH_MAX = 120
const ENDING = '.txt'

/** Separators, wild cards and control characters of one file system or another, and signs that turn text around. */
const ILLEGAL = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** Device names that Windows reserves with any extension; it ignores spaces before the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$)\s*(?:\.|$)/i

/** `{article name}.txt` as every file system takes it (spec section 2, Q66). */
export function textFileName(articleName: string): string {
  const legal = articleName.normalize('NFC').replace(ILLEGAL, '-')
  const bare = cut(legal.replace(/^[.\s]+/u, '')).replace(/[.\s]+$/u, '') || 'article'
  // Superscript and full-width digits name the same devices.
  return `${RESERVED.test(bare.normalize('NFKC')) ? '_' : ''}${bare}${ENDING}`
}

/** Shortened by whole graphemes, with room for the extension and a prefix. */
function cut(text: string): string {
  const encoder = new TextEncoder()
  let [short, bytes] = ['', 0]
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += encoder.encode(segment).length
    const isFull = bytes > BYTES_MAX - ENDING.length - 1
    if (isFull || short.length + segment.length > LENGTH_MAX - ENDING.length - 1) break
    short += segment
  }
  return short
}
