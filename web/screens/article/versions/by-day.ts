/** The entries of each day, in their order. */
export function byDay<T>(list: readonly T[], dayOf: (entry: T) => string): [string, T[]][] {
  const days = new Map<string, T[]>()
  for (const entry of list) {
    const day = dayOf(entry)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
