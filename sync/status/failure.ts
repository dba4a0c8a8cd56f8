import type { OutboxRow } from '../store/database.ts'
import type { Tables } from '../store/transaction.ts'
import { isRetrying } from './outbox-counts.ts'

/**
 * Why the last attempt to send a change failed. `server`: it responded with an error; `dueAt` is the time of the next
 * attempt, in milliseconds since 1970. `connection`: no response; the next attempt follows when the connection is back.
 */
export type Failure =
  | { cause: 'server'; dueAt: number }
  | { cause: 'connection' | 'log-in' | 'update' }

/** `message`: of the server's response; null where there was none, or it had none. */
export type ChangeFailure = Failure & { message: string | null }

/** What the user has to do before the server accepts anything. */
export type Needs = { signIn: boolean; update: boolean }

/** Null for a change that has not failed, and for one that the server rejected permanently. */
export function failureOf(
  { state, failedAt, isAnswered, lastError, dueAt }: OutboxRow,
  needs: Needs,
): ChangeFailure | null {
  if (failedAt === null || state === 'blocked') return null
  const message = isAnswered === 1 ? lastError : null
  if (needs.signIn) return { cause: 'log-in', message }
  if (needs.update) return { cause: 'update', message }
  return isAnswered === 1 ? { cause: 'server', dueAt, message } : { cause: 'connection', message }
}

/** The latest failure of any article; null while nothing in the queue is being retried. */
export async function lastFailure(
  { meta }: Tables<'meta'>,
  queue: readonly OutboxRow[],
): Promise<Failure | null> {
  if (!isRetrying(queue)) return null
  const last = await meta.get('lastFailure')
  return (last?.value as Failure | undefined) ?? null
}
