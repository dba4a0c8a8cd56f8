import { createHmac, KeyObject } from 'node:crypto'

/**
 * Replaces work that the process would do slowly, or on other threads in an order of their own, with immediate
 * versions: copying rows into and out of the database, signing tokens, and what Dexie calls thousands of times in every
 * schedule.
 */
export function installShortcuts(): () => void {
  const { structuredClone, queueMicrotask } = globalThis
  globalThis.structuredClone = ((value: unknown) => copy(value)) as typeof structuredClone
  globalThis.queueMicrotask = microtasksOf(Promise.resolve())
  const restorePromise = swapPromiseByAssignment()
  const restoreSigning = signAtOnce(globalThis.crypto.subtle)
  return () => {
    Object.assign(globalThis, { structuredClone, queueMicrotask })
    restorePromise()
    restoreSigning()
  }
}

/** The same queue in the same order; Node's own way into it makes an object for async hooks every time. */
function microtasksOf(resolved: Promise<void>): typeof queueMicrotask {
  return (task) => void resolved.then(task)
}

/**
 * At each step into and out of a transaction Dexie redefines the global Promise, 14,000 times in a schedule, with a
 * descriptor that differs only in its value. An assignment does the same at once.
 */
function swapPromiseByAssignment(): () => void {
  const { defineProperty } = Object
  Object.defineProperty = ((target: object, key: PropertyKey, descriptor: PropertyDescriptor) => {
    if (target !== globalThis || key !== 'Promise') return defineProperty(target, key, descriptor)
    globalThis.Promise = descriptor.value
    return target
  }) as typeof defineProperty
  return () => {
    Object.defineProperty = defineProperty
  }
}

/** Rows are plain data; everything else is refused, as a database would. */
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

/** Only for the keys of tokens (HMAC); tests of the same process use others too. */
function signAtOnce(subtle: Subtle): () => void {
  type Call = (...given: unknown[]) => Promise<unknown>
  const [importKey, sign, verify] = [subtle.importKey, subtle.sign, subtle.verify].map((call) =>
    (call as Call).bind(subtle),
  ) as [Call, Call, Call]
  const keys = new Map<string, Promise<unknown>>()
  const hmac = (key: CryptoKey, data: Uint8Array) =>
    createHmac('sha256', KeyObject.from(key)).update(data).digest()
  const quick = {
    importKey(format: string, bytes: Uint8Array, ...rest: unknown[]) {
      if (format !== 'raw') return importKey(format, bytes, ...rest)
      const name = `${JSON.stringify(rest)} ${Buffer.from(bytes).toString('hex')}`
      const key = keys.get(name) ?? importKey(format, bytes, ...rest)
      keys.set(name, key)
      return key
    },
    sign: async (algorithm: unknown, key: CryptoKey, data: Uint8Array) =>
      isHmac(key) ? new Uint8Array(hmac(key, data)) : sign(algorithm, key, data),
    verify: async (
      algorithm: unknown,
      key: CryptoKey,
      signature: Uint8Array,
      data: Uint8Array,
    ): Promise<unknown> =>
      isHmac(key) ? hmac(key, data).equals(signature) : verify(algorithm, key, signature, data),
  }
  Object.assign(subtle, quick)
  return () => {
    for (const name of Object.keys(quick)) Reflect.deleteProperty(subtle, name)
  }
}

const isHmac = ({ algorithm }: CryptoKey): boolean => algorithm.name === 'HMAC'
