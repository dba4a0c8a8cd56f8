import { Dexie } from 'dexie'
import type { ArticleText } from '../../domain/text/document.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import type { DraftRow, LocalDatabase } from './database.ts'
import { changeText, type DraftTextRow, joinedChunks } from './draft-chunks.ts'
import { readDoc } from './server-docs.ts'
import { type In, type Tables, transact } from './transaction.ts'

/**
 * A draft is a small row and two texts in a table of their own; its own text may be stored in chunks. So a save reads
 * no text and writes only the changed part, and reading a draft's state reads no text. Row and texts are always written
 * in one transaction.
 */
export type Draft = DraftRow & DraftTexts

export type DraftTexts = {
  doc: ArticleText
  /** The server's text that `doc` grew from. */
  baseDoc: ArticleText
}

/** The draft with its texts, read in one transaction. Also for a live query. */
export function readDraft(database: LocalDatabase, articleId: string): Promise<Draft | undefined> {
  return transact(database, 'r', ['drafts', 'texts'], (tables) => draftIn(tables, articleId))
}

/** Requests are made in parallel, because each waits for the busy page. */
export async function draftIn(
  tables: In<'drafts' | 'texts'>,
  articleId: string,
): Promise<Draft | undefined> {
  const { drafts, texts } = tables
  const [row, own, base] = await Promise.all([
    drafts.get(articleId),
    texts.get([articleId, 'draft']),
    texts.get([articleId, 'base']),
  ])
  if (!row) return undefined
  const doc = parsed(row.pieces ? await readDraftJson(tables, row) : own?.json)
  return { ...row, doc, baseDoc: hasOwnBase(row) ? baseIn(base, row) : doc }
}

/**
 * The draft's text for an editor, or null when this device has none. The first opening creates the row, and every write
 * increments its `localRev`.
 */
export const openDraft = (database: LocalDatabase, articleId: string): Promise<Draft | null> =>
  transact(database, 'rw', ['drafts', 'texts', 'docs'], (tables) => openDraftIn(tables, articleId))

export async function openDraftIn(
  tables: In<'drafts' | 'texts' | 'docs'>,
  articleId: string,
): Promise<Draft | null> {
  const draft = await draftIn(tables, articleId)
  if (draft) return draft
  const row = await tables.docs.get(articleId)
  if (!row) return null
  const { doc, hash, words, textVersion, revision } = readDoc(row)
  const opened: Draft = {
    articleId,
    doc,
    hash,
    words,
    localRev: 1,
    baseDoc: doc,
    baseHash: hash,
    baseVersion: textVersion,
    baseRevision: revision,
    ackedRev: 1,
    editedAt: 0,
    dirty: 0,
    lastSentAt: null,
  }
  await putDraft(tables, opened)
  return opened
}

/** Whether the draft is this very write of it. */
export async function isDraft(
  { drafts }: Tables<'drafts'>,
  articleId: string,
  { rev, hash }: { rev: number; hash: string },
): Promise<boolean> {
  const row = await drafts.get(articleId)
  return row?.localRev === rev && row.hash === hash
}

/** `row` must have been read in the same transaction. */
export async function withTexts(tables: In<'texts'>, row: DraftRow): Promise<Draft> {
  const [json, baseDoc] = await Promise.all([readDraftJson(tables, row), readBaseDoc(tables, row)])
  return { ...row, doc: JSON.parse(json), baseDoc }
}

/** Until it is changed, a draft is the text that it grew from, which is then stored once. */
export const hasOwnBase = ({ hash, baseHash }: DraftRow): boolean => hash !== baseHash

/**
 * The JSON of each draft's own text, null where there is none or not all of it. `rows` must have been read in the same
 * transaction.
 */
export async function findDraftJsons(
  { texts }: In<'texts'>,
  rows: readonly DraftRow[],
): Promise<(string | null)[]> {
  const whole = rows.filter(({ pieces }) => pieces === undefined)
  const found = await texts.bulkGet(whole.map(({ articleId }) => [articleId, 'draft']))
  const wholeById = new Map(found.map((row) => [row?.articleId, row?.json]))
  return Promise.all(
    rows.map(async ({ articleId, pieces }) => {
      if (pieces === undefined) return wholeById.get(articleId) ?? null
      const slots = texts.where(ROLE).between([articleId, Dexie.minKey], [articleId, FIRST_WORD])
      return joinedChunks(pieces, await slots.toArray())
    }),
  )
}

/** Rejects when there is none: an empty text in its place would be merged as if all words had been deleted. */
export async function readDraftJson(tables: In<'texts'>, row: DraftRow): Promise<string> {
  const [json] = await findDraftJsons(tables, [row])
  return json ?? lost()
}

/** Rejects like `readDraftJson`. */
export async function readBaseDoc(tables: In<'texts'>, row: DraftRow): Promise<ArticleText> {
  if (!hasOwnBase(row)) return parsed(await readDraftJson(tables, row))
  return baseIn(await tables.texts.get([row.articleId, 'base']), row)
}

/** A text merged over another base would lose words, or duplicate them. */
const baseIn = (base: DraftTextRow | undefined, row: DraftRow): ArticleText =>
  parsed(isBaseOf(base, row) ? base.json : undefined)

/** Whether the stored base is the one that the draft grew from, and not one left from an earlier draft. */
export const isBaseOf = (
  base: DraftTextRow | undefined,
  { baseHash }: DraftRow,
): base is DraftTextRow => base !== undefined && (base.hash === undefined || base.hash === baseHash)

const parsed = (json: string | undefined): ArticleText => JSON.parse(json ?? lost())

function lost(): never {
  throw new Error('A draft has lost its text')
}

/** Writes the row and its own text; a stored base stays. `before`: the row, read in the same transaction. */
export async function putOwnText(
  { drafts, texts, chunkSizes }: In<'drafts' | 'texts'>,
  row: DraftRow,
  doc: ArticleText,
  before: DraftRow | undefined,
): Promise<void> {
  const { pieces, put, drop } = changeText(row.articleId, doc, before?.pieces, chunkSizes)
  const { pieces: _, ...rest } = row
  await Promise.all([
    drafts.put({ ...rest, ...(pieces && { pieces }) }),
    put.length === 1 && put[0] ? texts.put(put[0]) : texts.bulkPut(put),
    drop.length > 0 && texts.bulkDelete(drop),
  ])
}

export async function putDraft(tables: In<'drafts' | 'texts'>, draft: Draft): Promise<void> {
  const { doc, baseDoc, ...row } = draft
  const before = await tables.drafts.get(row.articleId)
  await Promise.all([
    putOwnText(tables, row, doc, before),
    hasOwnBase(row) && tables.texts.put(baseText(row, baseDoc)),
  ])
}

/** One string is written and read many times faster than the parsed tree. */
export const baseText = ({ articleId, baseHash }: DraftRow, text: ArticleText): DraftTextRow => ({
  articleId,
  role: 'base',
  json: documentJson(text),
  hash: baseHash,
})

export async function deleteDraft(
  { drafts, texts }: In<'drafts' | 'texts'>,
  articleId: string,
): Promise<void> {
  await drafts.delete(articleId)
  const ofArticle = texts.where(ROLE)
  await ofArticle.between([articleId, Dexie.minKey], [articleId, Dexie.maxKey]).delete()
}

const ROLE = '[articleId+role]'
/** Numbers sort before all strings. */
const FIRST_WORD = ''
