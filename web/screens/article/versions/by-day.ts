/** The entries of each day, in their order. */
export function byDay<T>(list: readonly T[], dayOf: (entry: T) => string): [string, T[]][] {
  const days = new Map<string, T[]>()
  for (const entry of list) {
    const day = dayOf(entry)
    const others = days.get(day)
    if (others) others.push(entry)
    else days.set(day, [entry])
  }
  return [...days]
}
