import { createHmac, KeyObject } from 'node:crypto'

/**
 * Two things that the process would do slowly, or on other threads in an order of their own, done at once:
 * copying rows into and out of the database, and signing tokens.
 */
export function installShortcuts(): () => void {
  const { structuredClone } = globalThis
  globalThis.structuredClone = ((value: unknown) => copy(value)) as typeof structuredClone
  const restoreSigning = signAtOnce(globalThis.crypto.subtle)
  return () => {
    globalThis.structuredClone = structuredClone
    restoreSigning()
  }
}

/** Rows are plain data; whatever is not is refused, as a database would. */
function copy(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notCloneable()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  if (Object.getPrototypeOf(value) !== Object.prototype) throw notCloneable()
  const copied: Record<string, unknown> = {}
  for (const key of Object.keys(value)) copied[key] = copy(value[key as keyof typeof value])
  return copied
}

const notCloneable = () => new DOMException('Not plain data', 'DataCloneError')

type Subtle = typeof globalThis.crypto.subtle

function signAtOnce(subtle: Subtle): () => void {
  const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<CryptoKey>
  const keys = new Map<string, Promise<CryptoKey>>()
  const hmac = (key: CryptoKey, data: Uint8Array) =>
    createHmac('sha256', KeyObject.from(key)).update(data).digest()
  const quick = {
    importKey(format: string, bytes: Uint8Array, ...rest: unknown[]) {
      const name = `${JSON.stringify(rest)} ${Buffer.from(bytes).toString('hex')}`
      const key = keys.get(name) ?? importKey(format, bytes, ...rest)
      keys.set(name, key)
      return key
    },
    sign: async (_: unknown, key: CryptoKey, data: Uint8Array) => new Uint8Array(hmac(key, data)),
    verify: async (_: unknown, key: CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      hmac(key, data).equals(signature),
  }
  Object.assign(subtle, quick)
  return () => {
    for (const name of Object.keys(quick)) Reflect.deleteProperty(subtle, name)
  }
}
