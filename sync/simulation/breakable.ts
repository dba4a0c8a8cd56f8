/** The functions that the core calls across its files, by name. */
type Core = typeof import('../protocol/address.ts') &
  typeof import('../push/completion.ts') &
  typeof import('../editing/write-draft.ts') &
  typeof import('../editing/typed-runs.ts') &
  typeof import('../push/schedule.ts') &
  typeof import('../push/merge-with-server.ts') &
  typeof import('../protocol/packing.ts') &
  typeof import('../pull/pull.ts') &
  typeof import('../store/queue.ts') &
  typeof import('../protocol/push-result.ts') &
  typeof import('../push/bring-back-overwritten.ts') &
  typeof import('../editing/exit-snapshot.ts') &
  typeof import('../push/retry-policy.ts') &
  typeof import('../pull/store-pulled.ts') &
  typeof import('../push/settle.ts') &
  typeof import('../merge/mend.ts') &
  typeof import('../merge/merge3.ts') &
  typeof import('../merge/moves.ts') &
  typeof import('../merge/runs.ts') &
  typeof import('../merge/tokens.ts')

/** Faulty functions in place of the core's; each is made from the one that it replaces. */
export type CoreFaults = { [name in keyof Core]?: (original: Core[name]) => Core[name] }

/** Files of the core whose functions a test of faulty cores can replace. */
let faults: CoreFaults = {}

/** The core has these faults until the next call. */
export function breakCore(given: CoreFaults): void {
  faults = given
}

type Function = (...given: unknown[]) => unknown

/** A module of the core whose functions are looked up at every call. */
export function breakable(module: object): object {
  const wrapped = Object.entries(module).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    const original = value as Function
    const current = () =>
      faults[name as keyof CoreFaults] as ((known: Function) => Function) | undefined
    return [name, (...given: unknown[]) => (current()?.(original) ?? original)(...given)]
  })
  return Object.fromEntries(wrapped)
}
