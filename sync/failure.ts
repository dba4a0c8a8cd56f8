import { Dexie } from 'dexie'
import type { LocalDatabase, OutboxRow } from './database.ts'

/** Why the last try of a change failed. `server`: somebody answered, and could not take it; `connection`: no answer came. */
export type Failure = {
  cause: 'server' | 'connection' | 'log-in' | 'update'
  /** When the next try comes, in milliseconds since 1970. */
  nextAt: number
}

/** What the server wants of the person before it takes anything. */
export type Needs = { signIn: boolean; update: boolean }

/** Null for a change that did not fail or that the server refused for good. */
export function failureOf(
  { state, failedAt, isAnswered, nextAt }: OutboxRow,
  needs: Needs,
): Failure | null {
  if (failedAt === null || state === 'held') return null
  if (needs.signIn) return { cause: 'log-in', nextAt }
  if (needs.update) return { cause: 'update', nextAt }
  return { cause: isAnswered === 1 ? 'server' : 'connection', nextAt }
}

/** The oldest failure of any article; null when everything that waits was not refused yet. One row is read for it. */
export async function firstFailure(
  { outbox }: LocalDatabase,
  needs: Needs,
): Promise<Failure | null> {
  const failed = await outbox
    .where('failedAt')
    .above(Dexie.minKey)
    .filter(({ state }) => state !== 'held')
    .first()
  return failed ? failureOf(failed, needs) : null
}
