/**
 * The storage that `open` returns, or an in-memory one where the user blocks site data: there browsers throw at the
 * first access. The pages of guests still work, and the client area says that nothing can be kept.
 */
export function openStorage(open: () => Storage): Storage {
  try {
    return open()
  } catch {
    return createPassingStorage()
  }
}

/**
 * Undefined where the browser blocks or lacks BroadcastChannel. Where it blocks it, this removes the constructor from
 * the page: Dexie constructs a channel when it is imported, and the import would fail.
 */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    Object.assign(globalThis, { BroadcastChannel: undefined })
    return undefined
  }
}

function createPassingStorage(): Storage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  }
}
