import type { Clock } from '../../sync/ports.ts'
import { notices } from './notices.ts'

/** After this time without an answer the page says so. The server answers within 30 seconds; a dead line never does. */
export const LATE_MS = 10_000

/** Says that the page still waits, unless the returned function is called before. Calling it later ends the notice. */
export function sayLate(clock: Pick<Clock, 'after'>): () => void {
  let end = clock.after(LATE_MS, () => {
    const id = notices.info('Still waiting', 'The server has not answered yet.')
    end = () => notices.close(id)
  })
  return () => end()
}

/** Calls that a person waits for: each late one is said to be, until it ends. */
export const sayingLate =
  <Asked extends unknown[], Answer>(
    clock: Pick<Clock, 'after'>,
    send: (...asked: Asked) => Promise<Answer>,
  ) =>
  (...asked: Asked): Promise<Answer> =>
    send(...asked).finally(sayLate(clock))
