/** Limit of file systems, in bytes of UTF-8. */
const BYTES_MAX = 255
const LENGTH_MAX = 120

/** Separators, wild cards and control characters of one file system or another, and signs that turn text around. */
const ILLEGAL = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** Device names that Windows reserves with any extension; it ignores spaces before the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$)\s*(?:\.|$)/i

/** `{article name}.txt` (spec section 2, Q66). */
export const textFileName = (articleName: string): string => fileName(articleName, '.txt')

/** `{article name}.docx`, and what comes before it: ` – hand-in 2`. */
export const exportFileName = (articleName: string, kind: string, ending: string): string =>
  fileName(articleName, `${kind}.${ending}`)

/** `{article name} – receipt 2.html` */
export const receiptFileName = (articleName: string, number: number): string =>
  fileName(articleName, ` – receipt ${number}.html`)

/** `{title}.csv` */
export const csvFileName = (title: string): string => fileName(title, '.csv')

/** `{name}.zip`, or `{name}, part 2.zip`. */
export const archiveFileName = (name: string, part: number | null): string =>
  fileName(name, part === null ? '.zip' : `, part ${part}.zip`)

/** The name of a client, for the folder of its articles. */
export const folderName = (clientName: string): string => fileName(clientName, '')

/** The name of an article and an ending, as every file system takes it. */
function fileName(articleName: string, ending: string): string {
  const legal = articleName.normalize('NFC').replace(ILLEGAL, '-')
  const bare = cut(legal.replace(/^[.\s]+/u, ''), ending).replace(/[.\s]+$/u, '') || 'article'
  // Superscript and full-width digits name the same devices.
  return `${RESERVED.test(bare.normalize('NFKC')) ? '_' : ''}${bare}${ending}`
}

/** Shortened by whole graphemes, with room for the ending and a prefix. */
function cut(text: string, ending: string): string {
  const encoder = new TextEncoder()
  const bytesMax = BYTES_MAX - encoder.encode(ending).length - 1
  let [short, bytes] = ['', 0]
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += encoder.encode(segment).length
    if (bytes > bytesMax || short.length + segment.length > LENGTH_MAX - ending.length - 1) break
    short += segment
  }
  return short
}
