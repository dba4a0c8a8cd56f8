/** What may be uploaded as a list of entities, and how its bytes become text. */

export const CSV_BYTES_MAX = 5 * 1024 * 1024

const FILE_REQUIRED = 'A file is required'
export const INVALID_TYPE = 'Invalid file type'
export const UNREADABLE = 'The file could not be read'

const TYPES = ['text/csv', 'text/x-csv', 'application/vnd.ms-excel', 'text/plain']

/** Asked when the browser knows no type: csv, xls and similar, txt and similar (spec section 5, Q73). */
const EXTENSIONS = 'csv xls xlm xla xlc xlt xlw txt text conf def list log in ini'.split(' ')

/** What the file dialog offers first. */
export const ACCEPTED = [...TYPES, ...EXTENSIONS.map((extension) => `.${extension}`)].join(',')

/** What is wrong with a file before it is read; null when it may be read. */
export function fileFault(file: Pick<File, 'name' | 'type' | 'size'> | null): string | null {
  if (file === null) return FILE_REQUIRED
  if (!hasKnownType(file)) return INVALID_TYPE
  if (file.size === 0) return 'The file is empty'
  return file.size > CSV_BYTES_MAX ? 'The file is too large (more than 5 MB)' : null
}

function hasKnownType({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  const [essence = ''] = type.toLowerCase().split(';')
  if (essence.trim() !== '') return TYPES.includes(essence.trim())
  const extension = /\.([^.]*)$/.exec(name)?.[1]
  return extension !== undefined && EXTENSIONS.includes(extension.toLowerCase())
}

/** Names that `TextDecoder` knows, and how they are shown. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift JIS',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
} as const
export type Encoding = keyof typeof ENCODINGS

export type Decoding = {
  encoding: Encoding
  /** The file is not valid UTF-8 and has no byte order mark. */
  isGuess: boolean
  /** Characters that the encoding does not have. */
  broken: number
}

/** First bytes of workbooks, archives and documents, whatever their name and type say. */
const BINARY_SIGNATURES = [
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x50, 0x4b, 0x03, 0x04],
  [0x25, 0x50, 0x44, 0x46],
  [0x1f, 0x8b],
  ...[0x00, 0x02, 0x04, 0x08].map((version) => [0x09, version]),
]

/**
 * The text of a file without its byte order mark; null when it is no text (Q73). Without a `chosen` encoding: that
 * of the mark, even with broken bytes, then UTF-8, then Windows-1252 where UTF-8 is invalid (Q75).
 */
export function decodeFile(
  bytes: Uint8Array,
  chosen?: Encoding,
): (Decoding & { text: string }) | null {
  if (BINARY_SIGNATURES.some((signature) => startsWith(bytes, signature))) return null
  const said = markedEncoding(bytes) ?? (isUtf8(bytes) ? 'utf-8' : null) ?? utf16Of(bytes)
  const encoding = chosen ?? said ?? 'windows-1252'
  const decoded = new TextDecoder(encoding).decode(bytes)
  if (chosen === undefined && decoded.includes('\0')) return null
  const text = decoded.replaceAll('\0', '\ufffd')
  return { text, encoding, isGuess: said === null, broken: text.split('\ufffd').length - 1 }
}

function markedEncoding(bytes: Uint8Array): Encoding | null {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return 'utf-8'
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le'
  return startsWith(bytes, [0xfe, 0xff]) ? 'utf-16be' : null
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

const SNIFFED_BYTES = 2_048
const ZEROS_MIN = 4

/**
 * Without a mark: Latin letters, digits and separators have a byte that is zero, all of them at odd or at even places.
 * In a list of other letters they are few.
 */
function utf16Of(bytes: Uint8Array): Encoding | null {
  const sniffed = bytes.subarray(0, SNIFFED_BYTES)
  const zeros = [0, 0]
  sniffed.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const isEnough = Math.max(even, odd) > Math.max(ZEROS_MIN, sniffed.length / 16)
  if (!isEnough || Math.min(even, odd) > 0) return null
  return even === 0 ? 'utf-16le' : 'utf-16be'
}

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)
