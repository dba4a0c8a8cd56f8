import type { Clock } from '../../sync/ports.ts'
import { notices } from './notices.ts'

/** After this time without an answer the page says so. The server answers within 30 seconds; a dead line never does. */
export const LATE_MS = 10_000

/** Calls that a person waits for. While one of them is late, a notice says that the page still waits. */
export const sayingLate =
  <Asked extends unknown[], Answer>(
    clock: Pick<Clock, 'after'>,
    send: (...asked: Asked) => Promise<Answer>,
  ) =>
  (...asked: Asked): Promise<Answer> => {
    let end = clock.after(LATE_MS, () => {
      const id = notices.info('Still waiting', 'The server has not answered yet.')
      end = () => notices.close(id)
    })
    return send(...asked).finally(() => end())
  }
