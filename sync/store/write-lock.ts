import type { DBCore } from 'dexie'

/**
 * Every transaction that writes has this table beside its own, so that there is one at a time in all tabs; nothing is
 * put into it. Chromium that is killed while two of them without a common table are open throws the whole
 * database away at its next start.
 */
export const WRITE_LOCK = 'turns'

export function takingWriteLock(core: DBCore): DBCore {
  return {
    ...core,
    transaction: (tables, mode, options) =>
      core.transaction(mode === 'readwrite' ? [...tables, WRITE_LOCK] : tables, mode, options),
  }
}
