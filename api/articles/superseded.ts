import { SUPERSEDED_MAX } from '../../domain/limits.ts'
import type { EarlierSave } from '../../domain/wire/articles.ts'
import { isRevisionName } from '../../domain/wire/state-tag.ts'
import type { Database } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { findAnswer, voidKey } from './idempotency.ts'
import type { State } from './precondition.ts'

/** Saves of one writer that a later one names, because their responses were lost. */
export type Superseded = {
  /** In the order in which they were applied. */
  arrived: EarlierSave[]
  /** Keys of saves that have not arrived. */
  missing: string[]
}

/** Reads a Contun-Supersedes header. Throws 400 for too many keys, and for an invalid one. */
export function readSuperseded(header: string | undefined): string[] {
  const named = namedKeys(header)
  if (named.length <= SUPERSEDED_MAX && named.every(isRevisionName)) return named
  throw new ApiError(400, `"Contun-Supersedes" must be at most ${SUPERSEDED_MAX} keys of saves`)
}

/** The keys of the header, at most one more than are allowed, before they are checked. */
export const namedKeys = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .slice(0, SUPERSEDED_MAX + 1)

/** Finds the saves of an article under these keys. A key of another article is ignored. */
export async function findSuperseded(
  db: Database,
  keys: readonly string[],
  { userId, articleId, now }: { userId: string; articleId: string; now: number },
): Promise<Superseded> {
  const found: Superseded = { arrived: [], missing: [] }
  for (const key of keys) {
    const answer = await findAnswer(db, { userId, key, now })
    if (answer === undefined) found.missing.push(key)
    else if (answer.status === 200) {
      const { id, textVersion, revision, replaced } = JSON.parse(answer.response)
      if (id === articleId) found.arrived.push({ key, textVersion, revision, replaced })
    }
  }
  found.arrived.sort((a, b) => a.textVersion - b.textVersion)
  return found
}

/** Whether the new save was based on the current text: it is the last of the saves that arrived. */
export function isOwnText({ arrived }: Superseded, current: State): boolean {
  const last = arrived.at(-1)
  return last?.textVersion === current.textVersion && (last.revision ?? null) === current.revision
}

/**
 * Makes every later request under these keys fail. A save that arrives after the one that superseded it, and has lost
 * its condition on the way, would otherwise restore an older text.
 */
export async function voidKeys(
  db: Database,
  { missing }: Superseded,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  for (const key of missing) await voidKey(db, { userId, key, now })
}
