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

export type Encoding = 'utf-8' | 'utf-16' | 'windows-1252'
type DecodedFile = { text: string; encoding: Encoding }

/** First bytes of workbooks, archives and documents, whatever their name and type say. */
const BINARY_SIGNATURES = [
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x50, 0x4b, 0x03, 0x04],
  [0x25, 0x50, 0x44, 0x46],
  [0x1f, 0x8b],
  ...[0x00, 0x02, 0x04, 0x08].map((version) => [0x09, version]),
]

/** The text of a file without its byte order mark; null when it is no text (Q73, Q75). */
export function decodeFile(bytes: Uint8Array): DecodedFile | null {
  if (BINARY_SIGNATURES.some((signature) => startsWith(bytes, signature))) return null
  const decoded = decode(bytes)
  return decoded.text.includes('\0') ? null : decoded
}

function decode(bytes: Uint8Array): DecodedFile {
  if (startsWith(bytes, [0xff, 0xfe])) return decodeAs('utf-16', 'utf-16le', bytes)
  if (startsWith(bytes, [0xfe, 0xff])) return decodeAs('utf-16', 'utf-16be', bytes)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return decodeAs('windows-1252', 'windows-1252', bytes)
  }
}

const decodeAs = (encoding: Encoding, label: string, bytes: Uint8Array): DecodedFile => ({
  text: new TextDecoder(label).decode(bytes),
  encoding,
})

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)
