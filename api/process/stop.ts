import type { Server } from 'node:http'
import type { OpenDatabase } from '../database/open-database.ts'
import type { Log } from '../deps.ts'
import type { ChangeFeed } from '../events/change-feed.ts'
import type { Listener } from '../http/http-listener.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { Output } from './output.ts'

/** Time that requests get to finish after a stop signal. */
export const DRAIN_MS = 10_000
/** After an uncaught fault the state is unknown: requests get less time to finish. */
const FAULT_DRAIN_MS = 5_000

export type StopSources = {
  server: Pick<Server, 'close' | 'closeAllConnections'>
  closeUnused: Listener['closeUnused']
  /** Their streams would otherwise never end. */
  changes: Pick<ChangeFeed, 'end'>
  tasks: Pick<BackgroundTasks, 'settled'>
  database: Pick<OpenDatabase, 'close'>
  log: Log
  /** Its last lines are written before the end. */
  output: Pick<Output, 'flushed'>
  after(ms: number, callback: () => void): () => void
  /** Time of serving while no longer ready, after the signal, for load balancers to notice. */
  noticeMs: number
  process: {
    on(event: string, listener: (fault: unknown) => void): unknown
    exit(code: number): void
  }
}

/**
 * Graceful shutdown on SIGTERM, SIGINT and SIGHUP: reports not ready, waits `noticeMs` for the proxy, closes the
 * listener and unused connections, waits for requests in flight up to DRAIN_MS, closes the database and exits with 0. A
 * second signal exits immediately. An uncaught exception does the same with a shorter timeout and exit code 1.
 */
export function stopsGracefully(sources: StopSources): { isDraining(): boolean } {
  const { server, closeUnused, changes, tasks, database, log, after, noticeMs, process } = sources
  let draining = false

  async function stop(noticeMs: number, patienceMs: number, exitCode: number): Promise<void> {
    if (draining) return process.exit(1)
    draining = true
    if (noticeMs > 0) await new Promise<void>((noticed) => after(noticeMs, noticed))
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    closeUnused()
    changes.end()
    after(patienceMs, () => server.closeAllConnections())
    after(patienceMs * 2, () => process.exit(1))
    await closed
    await tasks.settled()
    const isClosed = await database.close().then(
      () => true,
      (err: unknown) => {
        log.error({ err }, 'The database could not be closed in order')
        return false
      },
    )
    log.info({ exitCode }, 'Stopped')
    await sources.output.flushed()
    process.exit(isClosed ? exitCode : 1)
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // A closing terminal sends it to all its processes, and each may forward it.
      if (signal === 'SIGHUP' && draining) return
      log.info({ signal }, 'Stopping')
      void stop(noticeMs, DRAIN_MS, 0)
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (err) => {
      log.error({ err }, 'Uncaught fault')
      void stop(0, FAULT_DRAIN_MS, 1)
    })
  }
  return { isDraining: () => draining }
}
