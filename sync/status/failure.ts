import type { OutboxRow } from '../store/database.ts'
import type { Tables } from '../store/transaction.ts'
import { isTryingAgain } from './outbox-counts.ts'

/**
 * Why the last attempt to send a change failed. `server`: it responded with an error; `dueAt` is the time of the next
 * attempt, in milliseconds since 1970. `connection`: no response; the next attempt follows when the connection is back.
 */
export type Failure =
  | { cause: 'server'; dueAt: number }
  | { cause: 'connection' | 'log-in' | 'update' }

/** What the user has to do before the server accepts anything. */
export type Needs = { signIn: boolean; update: boolean }

/** Null for a change that has not failed, and for one that the server rejected permanently. */
export function failureOf(
  { state, failedAt, isAnswered, dueAt }: OutboxRow,
  needs: Needs,
): Failure | null {
  if (failedAt === null || state === 'blocked') return null
  if (needs.signIn) return { cause: 'log-in' }
  if (needs.update) return { cause: 'update' }
  return isAnswered === 1 ? { cause: 'server', dueAt } : { cause: 'connection' }
}

/** The latest failure of any article; null while nothing is being retried. Reads no row of the outbox. */
export async function lastFailure(tables: Tables<'outbox' | 'meta'>): Promise<Failure | null> {
  const [isFailing, last] = await Promise.all([
    isTryingAgain(tables),
    tables.meta.get('lastFailure'),
  ])
  return isFailing ? ((last?.value as Failure | undefined) ?? null) : null
}
