import type { Tables } from './transaction.ts'
import { isOnlyHere } from './unsaved.ts'

/** Notes in meta with which tabs announce texts that they hold in memory because they cannot write them here. */

export const MEMORY_NOTE = 'memory:'

export const memoryNote = (articleId: string) => `${MEMORY_NOTE}${articleId}` as const

/** Whether a tab has text of the article that neither this computer nor the server has. */
export async function isInMemory(
  { unsaved, meta }: Tables<'meta'>,
  articleId: string,
): Promise<boolean> {
  return isOnlyHere(unsaved.of(articleId)) || (await meta.get(memoryNote(articleId))) !== undefined
}

/** Articles with text in the memory of this tab or of others. */
export async function articlesInMemory({ unsaved, meta }: Tables<'meta'>): Promise<Set<string>> {
  const notes = await meta.where('key').startsWith(MEMORY_NOTE).primaryKeys()
  const noted = notes.map((key) => key.slice(MEMORY_NOTE.length))
  return new Set([...unsaved.inMemory(), ...noted])
}

/**
 * Deletes notes of tabs that are gone, whose memory is lost. A live tab renews its note at every failure: `isOf`
 * accepts the times (ms since 1970) of notes that no live tab can have written.
 */
export async function forgetMemoryNotes(
  { meta }: Tables<'meta'>,
  isOf: (time: number) => boolean = () => true,
): Promise<void> {
  const notes = meta.where('key').startsWith(MEMORY_NOTE)
  // Most often there are none, and a write waits for all other writes.
  if ((await notes.count()) === 0) return
  await notes.filter(({ value }) => isOf(Number(value))).delete()
}
