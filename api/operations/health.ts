import { storageFaultOf } from '../database/storage-fault.ts'
import type { Log } from '../deps.ts'

export type Health = ReturnType<typeof createHealth>

/**
 * Known damage of the database. On a damaged file a write may destroy what is still readable, so nothing is written any
 * more.
 */
export function createHealth(log: Log) {
  let damage: string | null = null

  function noteDamage(how: string): void {
    if (damage !== null) return
    damage = how
    log.error({ damage: how }, 'The database is damaged. Nothing is written until it is restored')
  }

  return {
    /** The damage of the database, or null while none is known. It stays until a restart. */
    damage: () => damage,
    noteDamage,
    /** Checks whether this fault means a damaged file. */
    noteFault(fault: unknown) {
      if (storageFaultOf(fault) === 'damaged') noteDamage((fault as Error).message)
    },
  }
}
