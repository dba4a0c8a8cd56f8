import type { DBCore } from 'dexie'

/**
 * Every transaction that writes has this table beside its own, so that there is one at a time in all tabs; nothing is
 * put into it. Chromium that is killed while two of them without a common table are open throws the whole
 * database away at its next start.
 */
export const TURNS = 'turns'

export function takingTurns(core: DBCore): DBCore {
  return {
    ...core,
    transaction: (tables, mode, options) =>
      core.transaction(mode === 'readwrite' ? [...tables, TURNS] : tables, mode, options),
  }
}
