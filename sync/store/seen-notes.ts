import type { LocalDatabase, MetaKey } from './database.ts'
import type { Tables } from './transaction.ts'

/** Up to when the notes of an article were seen on this computer, by the server's time. */

const metaKey = (articleId: string): MetaKey => `seen-notes:${articleId}`

/** In milliseconds since 1970; 0 when they never were. For a live query. */
export async function notesSeenUntil({ meta }: Tables<'meta'>, articleId: string): Promise<number> {
  const value = (await meta.get(metaKey(articleId)))?.value
  return typeof value === 'number' ? value : 0
}

/** A full disk is ignored: the notes count as new for longer. */
export function keepNotesSeen({ meta }: LocalDatabase, articleId: string, until: number): void {
  void meta.put({ key: metaKey(articleId), value: until }).catch(() => {})
}
