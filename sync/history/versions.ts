import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { DocRow, LocalDatabase, LocalRevRow, ServerRevRow } from '../store/database.ts'
import { type Draft, readDraft } from '../store/draft-rows.ts'
import { dueSoonest, entriesOf } from '../store/queue.ts'
import { keepCheckpoint, listedOf, revisionsOf } from '../store/revisions.ts'
import { readDoc } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import { transact } from '../store/transaction.ts'

/** A text that the article had, on the server or on this computer. */
export type Version = {
  /** 'server 12', 'local 7', 'draft'. */
  key: string
  /** In milliseconds since 1970. */
  at: number
  /** Why it was kept: as the server names it, or the reason of the row on this computer. */
  reason: string
  words: number
  /** Null when it is kept on this computer alone. */
  server: {
    textVersion: number
    author: string | null
    /** Number of the latest hand-in of this text; null where it never was handed in. */
    handIn: number | null
  } | null
  /** Null while only the server has it. */
  text: ArticleText | null
  /** The one version that the article has now on this computer. */
  isPresent: boolean
  /** Its text equals that of the present version. */
  hasPresentText: boolean
}

export type VersionRows = {
  listed: ServerRevRow[]
  kept: LocalRevRow[]
  doc?: DocRow | undefined
  draft?: Draft | undefined
  /** When this computer last read the article from the server. */
  seenAt?: number | undefined
}

/** The timeline of an article, newest first, as far as this computer knows it. For a live query. */
export async function readVersions(database: LocalDatabase, articleId: string): Promise<Version[]> {
  const [listed, kept, doc, draft, article] = await Promise.all([
    listedOf(database, articleId).toArray(),
    revisionsOf(database, articleId).toArray(),
    database.docs.get(articleId),
    readDraft(database, articleId),
    database.articles.get(articleId),
  ])
  return joinVersions({ listed, kept, doc, draft, seenAt: article?.seenAt })
}

type Text = { doc: ArticleText; hash: string }

/**
 * One timeline of both: a text kept here that the server has too is listed once, as the server's, and can then be read
 * offline. Every version that the server listed is included: only the server has all texts to decide which to drop. Of
 * equal texts on this device the latest stays, and one with a more specific cause than 'checkpoint' takes precedence.
 * The draft comes first, unless it is a version that the server listed.
 */
export function joinVersions({ listed, kept, doc, draft, seenAt }: VersionRows): Version[] {
  const local = kept.map((row) => ({ ...row, hash: row.hash ?? documentHash(row.doc) }))
  const texts = serverTexts(listed, local, { doc, draft })
  const present = listed.findLast(
    ({ textVersion }) =>
      draft && textVersion >= draft.baseVersion && texts.get(textVersion)?.hash === draft.hash,
  )
  const server = listed.map((row) => {
    const text = texts.get(row.textVersion)
    const hasPresentText = text !== undefined && text.hash === draft?.hash
    return { ...versionOfServer(row, text), isPresent: row === present, hasPresentText }
  })
  const shown = new Set([
    draft?.hash,
    ...listed.map(({ textVersion }) => texts.get(textVersion)?.hash),
  ])
  const own = local.sort(tellingFirst).flatMap((row) => {
    if (shown.has(row.hash)) return []
    shown.add(row.hash)
    return [versionOfLocal(row)]
  })
  const earlier = [...server, ...own].sort(newestFirst)
  return draft && !present ? [versionOfDraft(draft, seenAt), ...earlier] : earlier
}

/** The text of each server version, from everything that this device has. */
function serverTexts(
  listed: ServerRevRow[],
  local: (LocalRevRow & { hash: string })[],
  { doc, draft }: Pick<VersionRows, 'doc' | 'draft'>,
): Map<number, Text> {
  const texts = new Map<number, Text>()
  for (const row of local) if (isTheirs(row)) texts.set(row.baseVersion ?? row.baseTv ?? 0, row)
  if (draft) texts.set(draft.baseVersion, { doc: draft.baseDoc, hash: draft.baseHash })
  if (doc) texts.set(doc.textVersion, readDoc(doc))
  for (const { textVersion, text } of listed) if (text) texts.set(textVersion, text)
  return texts
}

const isTheirs = ({ reason, isBase }: LocalRevRow): boolean =>
  reason === 'pre-merge-theirs' || isBase === true

const versionOfServer = (
  { textVersion, author, reason, words, createdAt, handIn = null }: ServerRevRow,
  text: Text | undefined,
): Omit<Version, 'isPresent' | 'hasPresentText'> => ({
  key: `server ${textVersion}`,
  at: Date.parse(createdAt),
  reason,
  words,
  server: { textVersion, author: author?.name ?? null, handIn },
  text: text?.doc ?? null,
})

const versionOfLocal = ({ id, at, reason, words, doc }: LocalRevRow): Version => ({
  key: `local ${id}`,
  at,
  reason,
  words,
  server: null,
  text: doc,
  isPresent: false,
  hasPresentText: false,
})

const versionOfDraft = ({ dirty, editedAt, words, doc }: Draft, seenAt = editedAt): Version => ({
  key: 'draft',
  at: dirty === 1 ? editedAt : seenAt,
  reason: 'draft',
  words,
  server: null,
  text: doc,
  isPresent: true,
  hasPresentText: true,
})

const tellingFirst = (a: LocalRevRow, b: LocalRevRow): number =>
  Number(a.reason === 'checkpoint') - Number(b.reason === 'checkpoint') || b.at - a.at

const newestFirst = (a: Version, b: Version): number =>
  b.at - a.at || (b.server?.textVersion ?? 0) - (a.server?.textVersion ?? 0)

/** Keeps the article's present text before an earlier one replaces it. */
export async function keepPresentText(
  database: LocalDatabase,
  articleId: string,
  present: ArticleText,
  at: number,
): Promise<void> {
  const text = measure(present)
  const { baseVersion = 0, baseHash } = (await database.drafts.get(articleId)) ?? {}
  await keepCheckpoint(database, { articleId, ...text, baseVersion, baseHash }, at)
}

/**
 * The text that was just written here is an earlier one: it is sent at once, named as restored unless it is edited
 * before. Does nothing when the draft has another text than that of `hash`.
 */
export async function markRestored(
  database: LocalDatabase,
  articleId: string,
  { hash, now }: { hash: string; now: number },
): Promise<void> {
  await transact(database, 'rw', ['outbox', 'drafts'], async (tables) => {
    const entries = await entriesOf(tables, articleId)
    const entry = entries.findLast(({ kind, state }) => kind === 'text' && state === 'pending')
    const draft = await tables.drafts.get(articleId)
    if (!entry || draft?.hash !== hash) return
    await tables.outbox.update(entry.seq, { restored: hash, ...dueSoonest(entry, now) })
  })
}
