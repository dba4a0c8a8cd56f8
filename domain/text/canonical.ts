import { type ArticleText, asDocument, type DocumentNode, normalForm } from './document.ts'
import { isRecord, NODE_RULES } from './document-schema.ts'

/**
 * JSON that is the same text for the same value: keys sorted, undefined left out as JSON does. For plain
 * JSON values that were already read, so their depth is bounded.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  // Every save comes by here on both sides: no list is made of what is joined at once.
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    if (members !== '') members += ','
    members += `${JSON.stringify(key)}:${canonicalJson(value[key])}`
  }
  return `{${members}}`
}

/**
 * Hash of what the document says: `{}` and one empty paragraph, or a missing and a default attribute, hash alike.
 * Each block's hash is kept with it, so that a save hashes only what was typed in: who has a document hashed must
 * not change its nodes any more.
 */
export const documentHash = (text: ArticleText): string => nodeHash(asDocument(text))

const hashes = new WeakMap<DocumentNode, string>()

function nodeHash(node: DocumentNode): string {
  const known = hashes.get(node)
  if (known !== undefined) return known
  const { content = [], ...head } = node
  const says = isOfBlocks(node)
    ? normalJson(head) + content.map((child) => nodeHash(child).slice(0, TELLING)).join('')
    : normalJson(node)
  const hash = sha256(says)
  hashes.set(node, hash)
  return hash
}

/** 128 bits: enough that no two texts ever meet. */
const TELLING = 32

const normalJson = (node: DocumentNode): string =>
  canonicalJson(normalForm({ type: 'doc', content: [node] }))

function isOfBlocks({ type }: DocumentNode): boolean {
  const holds = NODE_RULES.get(type)?.holds
  return holds === 'block' || holds === 'item'
}

/**
 * SHA-256 of the UTF-8 bytes, as 64 hexadecimal digits. Our own, because the browser's is asynchronous (a
 * draft is compared inside one database transaction) and missing on plain http.
 */
export function sha256(text: string): string {
  const bytes = padded(utf8(text))
  const hash = Int32Array.from(INITIAL)
  for (let offset = 0; offset < bytes.byteLength; offset += 64) compress(hash, bytes, offset)
  let hex = ''
  for (const word of hash) hex += (word >>> 0).toString(16).padStart(8, '0')
  return hex
}

const PRIMES = primes(64)
/** First 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

function primes(count: number): number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) found.push(number)
  }
  return found
}

/** Message schedule of the current 64-byte block; overwritten by the next one. */
const schedule = new Int32Array(64)

/** Every letter of a save comes by here, so it makes no lists and calls nothing that does. */
function compress(hash: Int32Array, bytes: DataView, offset: number): void {
  fillSchedule(bytes, offset)
  let a = at(hash, 0)
  let b = at(hash, 1)
  let c = at(hash, 2)
  let d = at(hash, 3)
  let e = at(hash, 4)
  let f = at(hash, 5)
  let g = at(hash, 6)
  let h = at(hash, 7)
  for (let round = 0; round < 64; round += 1) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const chosen = (e & f) ^ (~e & g)
    const t1 = (h + s1 + chosen + at(ROUND, round) + at(schedule, round)) | 0
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + s0 + majority) | 0
  }
  hash[0] = at(hash, 0) + a
  hash[1] = at(hash, 1) + b
  hash[2] = at(hash, 2) + c
  hash[3] = at(hash, 3) + d
  hash[4] = at(hash, 4) + e
  hash[5] = at(hash, 5) + f
  hash[6] = at(hash, 6) + g
  hash[7] = at(hash, 7) + h
}

function fillSchedule(bytes: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = bytes.getInt32(offset + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const x = at(schedule, index - 15)
    const y = at(schedule, index - 2)
    const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)
    const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10)
    schedule[index] = at(schedule, index - 16) + s0 + at(schedule, index - 7) + s1
  }
}

const at = (words: Int32Array, index: number): number => words[index] ?? 0
const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** A one bit, zeros, and the length in bits fill the last block of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(view.buffer).set(bytes)
  view.setUint8(bytes.length, 0x80)
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n)
  return view
}

/** First bits of a character that takes so many bytes after its first. */
const LEADS = Int32Array.of(0, 0xc0, 0xe0, 0xf0)

/** Half of a surrogate pair becomes U+FFFD, as in every other encoder. */
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      bytes[length++] = unit
      continue
    }
    const point = scalarAt(text, index)
    if (point > 0xffff) index += 1
    const tail = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3
    bytes[length++] = at(LEADS, tail) | (point >> (6 * tail))
    for (let left = tail - 1; left >= 0; left -= 1) {
      bytes[length++] = 0x80 | ((point >> (6 * left)) & 0x3f)
    }
  }
  return bytes.subarray(0, length)
}

function scalarAt(text: string, index: number): number {
  const point = text.codePointAt(index) ?? 0
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
}
