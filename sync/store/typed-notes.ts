import type { HandInNoteKind } from '../../domain/wire/notes.ts'
import type { LocalDatabase, MetaKey } from './database.ts'
import { storedKeys } from './exit-snapshots.ts'
import type { Tables } from './transaction.ts'

/** `note`: about words; `answer-` and the name of such a note, for an answer to it. */
export type TypedKind = HandInNoteKind | 'brief' | 'note' | `answer-${string}`

/**
 * Notes and briefs that are being typed. They are kept twice, like exit snapshots: at once in the synchronous store,
 * because a page may end after any key, and in `meta`, which other parts of the page and other tabs follow.
 */

const prefixOf = ({ name }: Tables<never>): string => `${name}:typed-note:`

const metaKey = (articleId: string, kind: TypedKind): MetaKey => `typed-note:${articleId}:${kind}`

/** What was typed before the page ended; null when no note was being written. */
export const leftNote = (
  database: Tables<never>,
  articleId: string,
  kind: TypedKind,
): string | null =>
  database.snapshotStore?.getItem(`${prefixOf(database)}${articleId}:${kind}`) ?? null

/** The note as `meta` has it, for a live query; null when none is being written. */
export async function typedNote(
  { meta }: Tables<'meta'>,
  articleId: string,
  kind: TypedKind,
): Promise<string | null> {
  const row = await meta.get(metaKey(articleId, kind))
  return typeof row?.value === 'string' ? row.value : null
}

/** A full disk is ignored, because the words are still on the screen. */
export function keepTypedNote(
  database: LocalDatabase,
  articleId: string,
  kind: TypedKind,
  text: string,
): void {
  try {
    database.snapshotStore?.setItem(`${prefixOf(database)}${articleId}:${kind}`, text)
  } catch {}
  void database.meta.put({ key: metaKey(articleId, kind), value: text }).catch(() => {})
}

export function forgetTypedNote(database: LocalDatabase, articleId: string, kind: TypedKind): void {
  database.snapshotStore?.removeItem(`${prefixOf(database)}${articleId}:${kind}`)
  void database.meta.delete(metaKey(articleId, kind)).catch(() => {})
}

/** Removes those of this user from the synchronous store, when the database is deleted. */
export function forgetTypedNotes(database: Tables<never>): void {
  for (const key of storedKeys(database, prefixOf(database)))
    database.snapshotStore?.removeItem(key)
}
