import type { Log } from '../deps.ts'
import type { Health } from '../operations/health.ts'

export type BackgroundTasks = ReturnType<typeof backgroundTasks>

/** Work that starts after the current response is sent, by `later`, and that a stop waits for. */
export function backgroundTasks(
  { log, health }: { log: Log; health: Pick<Health, 'noteFault'> },
  later: (work: () => void) => void,
) {
  const running = new Set<Promise<void>>()

  function run(task: () => Promise<void>): void {
    const turn = new Promise<void>((resolve) => later(resolve))
    const work = turn.then(task).catch((err: unknown) => {
      health.noteFault(err)
      log.error({ err }, 'Background work failed')
    })
    running.add(work)
    void work.then(() => running.delete(work))
  }

  /** Resolves when no task is running. */
  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }

  return { run, settled }
}
