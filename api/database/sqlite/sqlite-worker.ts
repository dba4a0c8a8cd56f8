import { parentPort, workerData } from 'node:worker_threads'
import { backUpSqlite } from './sqlite-backup.ts'
import { faultOf } from './sqlite-check.ts'

/** Work on the whole file, in a thread of its own: it takes seconds, and the server must stay responsive. */
export type SqliteJob =
  | { kind: 'back up'; file: string; target: string }
  | { kind: 'check'; file: string }

/** The one message of the thread: the fault, or null for success. */
export type SqliteOutcome = string | null

const job: SqliteJob = workerData
parentPort?.postMessage(await outcomeOf(job))

async function outcomeOf(job: SqliteJob): Promise<SqliteOutcome> {
  if (job.kind === 'check') return faultOf(job.file)
  try {
    await backUpSqlite(job.file, job.target)
    return null
  } catch (fault) {
    return (fault as Error).message
  }
}
