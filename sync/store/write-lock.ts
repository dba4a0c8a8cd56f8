import type { DBCore } from 'dexie'

/**
 * Every transaction that writes includes this table, so that only one runs at a time in all tabs; nothing is put into
 * it. Chromium that is killed while two without a common table are open deletes the whole database at its next start.
 */
export const WRITE_LOCK = 'turns'

export function takingWriteLock(core: DBCore): DBCore {
  return {
    ...core,
    transaction: (tables, mode, options) =>
      core.transaction(mode === 'readwrite' ? [...tables, WRITE_LOCK] : tables, mode, options),
  }
}
