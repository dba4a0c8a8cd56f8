import type { LocalDatabase, OutboxRow } from './database.ts'
import { isTryingAgain } from './keys.ts'

/**
 * Why the last try of a change failed. `server`: it answered, and could not take it; the next try comes at `nextAt`, in
 * milliseconds since 1970. `connection`: no answer came; the next try comes with the connection.
 */
export type Failure =
  | { cause: 'server'; nextAt: number }
  | { cause: 'connection' | 'log-in' | 'update' }

/** What the server wants of the person before it takes anything. */
export type Needs = { signIn: boolean; update: boolean }

/** Null for a change that did not fail or that the server refused for good. */
export function failureOf(
  { state, failedAt, isAnswered, nextAt }: OutboxRow,
  needs: Needs,
): Failure | null {
  if (failedAt === null || state === 'held') return null
  if (needs.signIn) return { cause: 'log-in' }
  if (needs.update) return { cause: 'update' }
  return isAnswered === 1 ? { cause: 'server', nextAt } : { cause: 'connection' }
}

/** The last failure of any article; null when nothing failed that is tried again. No row of the queue is read for it. */
export async function lastFailure(database: LocalDatabase): Promise<Failure | null> {
  const [isFailing, last] = await Promise.all([
    isTryingAgain(database),
    database.meta.get('lastFailure'),
  ])
  return isFailing ? ((last?.value as Failure | undefined) ?? null) : null
}
