import type { Clock } from '../../sync/ports.ts'

const UNPACKED_KEY = 'contun-unpacked'
const UNPACKED_MS = 24 * 60 * 60_000

/** Whether bodies are compressed. Turned off for a day only, because the device may use another network later. */
export const createPacking = (storage: Storage, clock: Pick<Clock, 'now'>) => ({
  isOff: () =>
    typeof CompressionStream !== 'function' ||
    Math.abs(clock.now() - Number(storage.getItem(UNPACKED_KEY))) < UNPACKED_MS,
  turnOff() {
    try {
      storage.setItem(UNPACKED_KEY, String(clock.now()))
    } catch {
      // Without the note every body is first sent compressed and refused.
    }
  },
})
