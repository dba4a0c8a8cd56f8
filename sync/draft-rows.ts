import type { ArticleText } from '../domain/document.ts'
import { documentJson } from '../domain/document-json.ts'
import type { DraftRow, DraftTextRow, LocalDatabase } from './database.ts'

/**
 * A draft is a small row and two texts beside it: a save then reads no text and writes one, and whoever asks what
 * state a draft is in reads none. Row and texts are always written in one transaction, which must cover both tables.
 */
export type Draft = DraftRow & DraftTexts

export type DraftTexts = {
  doc: ArticleText
  /** The server's text that `doc` grew from. */
  baseDoc: ArticleText
}

/** The draft with its texts, all of the same moment. For a live query too. */
export function readDraft(database: LocalDatabase, articleId: string): Promise<Draft | undefined> {
  const { drafts, texts } = database
  return database.transaction('r', drafts, texts, async () => {
    const row = await drafts.get(articleId)
    return row && withTexts(database, row)
  })
}

/** `row` must have been read in the same transaction. */
export async function withTexts(database: LocalDatabase, row: DraftRow): Promise<Draft> {
  const [doc, baseDoc] = await Promise.all([
    readDraftText(database, row.articleId, 'draft'),
    readDraftText(database, row.articleId, 'base'),
  ])
  return { ...row, doc, baseDoc }
}

/** Rejects when there is none: an empty text in its place would be merged as if all words had been deleted. */
export async function readDraftText(
  { texts }: LocalDatabase,
  articleId: string,
  role: DraftTextRow['role'],
): Promise<ArticleText> {
  const row = await texts.get([articleId, role])
  if (row === undefined) throw new Error('A draft has lost its text')
  return JSON.parse(row.json)
}

export async function putDraft(database: LocalDatabase, draft: Draft): Promise<void> {
  const { doc, baseDoc, ...row } = draft
  await Promise.all([
    database.drafts.put(row),
    database.texts.bulkPut([
      draftText(row.articleId, 'draft', doc),
      draftText(row.articleId, 'base', baseDoc),
    ]),
  ])
}

/** One string is written and read many times faster than the tree that it spells out. */
export const draftText = (
  articleId: string,
  role: DraftTextRow['role'],
  text: ArticleText,
): DraftTextRow => ({ articleId, role, json: documentJson(text) })

export async function deleteDraft(database: LocalDatabase, articleId: string): Promise<void> {
  await database.drafts.delete(articleId)
  await database.texts.bulkDelete([
    [articleId, 'draft'],
    [articleId, 'base'],
  ])
}
