/**
 * The storage that `open` gives, or, where the person lets sites keep nothing, one that forgets with the
 * page: browsers throw then at the first touch. The pages of guests work all the same, and the client area
 * says that nothing can be kept.
 */
export function openStorage(open: () => Storage): Storage {
  try {
    return open()
  } catch {
    return createPassingStorage()
  }
}

/**
 * Undefined where the browser lets the site have none, or knows none. There the page has no maker of channels from then
 * on: the library of the local database makes one when it is loaded, and would not load.
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
