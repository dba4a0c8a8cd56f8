import { type Lock, lockOf } from '../database/locks.ts'
import type { Database } from '../deps.ts'
import type { ChangeBody } from './article-change.ts'
import { findSameAnswer, keepAnswer, readKey } from './idempotency.ts'

export type AddRequest<Body> = {
  viewer: { id: string }
  body: ChangeBody<Body>
  /** Unparsed. */
  idempotencyKey: string | undefined
  /** Status of the stored response; 201 where it is not given. */
  status?: 200 | 201
}

/**
 * Adds or changes something, once for each key: the stored response for a known one (or 422), then the fault of the
 * body (400), then `add`. Call it in a transaction under `keyLocks`, after the checks of who asks and for what.
 */
export async function addOnce<Body, Added extends object>(
  db: Database,
  { viewer, body, idempotencyKey, status = 201 }: AddRequest<Body>,
  now: number,
  add: (given: Body) => Promise<Added>,
): Promise<{ added: Added; replayed: boolean }> {
  const key = readKey(idempotencyKey)
  const requestHash = body.ok ? body.hash() : ''
  const use = key === undefined ? undefined : { userId: viewer.id, key, requestHash, now }
  const earlier = use && (await findSameAnswer(db, use))
  if (earlier) return { added: JSON.parse(earlier.response) as Added, replayed: true }
  if (!body.ok) throw body.fault
  const added = await add(body.changes)
  if (use) await keepAnswer(db, use, { status, response: JSON.stringify(added) })
  return { added, replayed: false }
}

export const keyLocks = ({
  viewer,
  idempotencyKey,
}: Pick<AddRequest<unknown>, 'viewer' | 'idempotencyKey'>): Lock[] =>
  idempotencyKey === undefined ? [] : [lockOf.key(viewer.id, idempotencyKey)]
