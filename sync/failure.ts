import type { LocalDatabase, OutboxRow } from './database.ts'
import { isTryingAgain } from './keys.ts'

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

/** The last failure of any article; null when nothing failed that is tried again. No row of the queue is read for it. */
export async function lastFailure(database: LocalDatabase): Promise<Failure | null> {
  const [isFailing, last] = await Promise.all([
    isTryingAgain(database),
    database.meta.get('lastFailure'),
  ])
  return isFailing ? ((last?.value as Failure | undefined) ?? null) : null
}
