import type { Clock } from '../../sync/ports.ts'

const UNPACKED_KEY = 'contun-unpacked'
const UNPACKED_MS = 24 * 60 * 60_000

/** Whether bodies are packed. Turned off for a day: a device comes to other networks. */
export const createPacking = (storage: Storage, clock: Pick<Clock, 'now'>) => ({
  isOff: () =>
    typeof CompressionStream !== 'function' ||
    Math.abs(clock.now() - Number(storage.getItem(UNPACKED_KEY))) < UNPACKED_MS,
  turnOff() {
    try {
      storage.setItem(UNPACKED_KEY, String(clock.now()))
    } catch {
      // Without room for the note each body is refused packed first.
    }
  },
})
