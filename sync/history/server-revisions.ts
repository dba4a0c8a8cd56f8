import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Revision } from '../../domain/wire/articles.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { HttpAnswer, Send } from '../ports.ts'
import { isErrorBody } from '../protocol/error-response.ts'
import { goneReason } from '../protocol/push-result.ts'
import { getAnswer, isRevision, readText, revisionsPath } from '../protocol/revision-requests.ts'
import type { LocalDatabase, ServerRevRow } from '../store/database.ts'
import { readDraft } from '../store/draft-rows.ts'
import { listedOf } from '../store/revisions.ts'
import { readDoc } from '../store/server-docs.ts'
import { transact } from '../store/transaction.ts'

/** The server's earlier texts of an article, kept here as they were last seen. */

/** `refused` has the server's own words. */
export type Fetching = { kind: 'fetched' | 'unreachable' } | { kind: 'refused'; message: string }

const LIST_LIMIT = 500

/** Fetches the list and stores it. Texts that were viewed stay with their versions. */
export async function fetchServerRevisions(
  send: Send,
  database: LocalDatabase,
  articleId: string,
): Promise<Fetching> {
  const revisions: Revision[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `${revisionsPath(articleId)}?page=${page}&limit=${LIST_LIMIT}`
    const answer = await getAnswer(send, path)
    if (isErrorBody(answer?.json)) return refused(database, articleId, answer)
    const list = readList(answer?.json)
    if (!list) return { kind: 'unreachable' }
    revisions.push(...list.results)
    pages = list.totalPages
  }
  await storeList(database, articleId, revisions)
  return { kind: 'fetched' }
}

/** A text that the server had under this number, if it is on this computer. For a live query. */
export async function readServerText(
  database: LocalDatabase,
  articleId: string,
  textVersion: number,
): Promise<ArticleText | null> {
  const [listed, doc, draft] = await Promise.all([
    database.serverRevs.get([articleId, textVersion]),
    database.docs.get(articleId),
    readDraft(database, articleId),
  ])
  if (listed?.text) return listed.text.doc
  if (doc?.textVersion === textVersion) return readDoc(doc).doc
  return draft?.baseVersion === textVersion ? draft.baseDoc : null
}

/** Returns the text of a version, from this computer or else from the server; null where it cannot be read. */
export async function loadServerText(
  send: Send,
  database: LocalDatabase,
  articleId: string,
  textVersion: number,
): Promise<ArticleText | null> {
  const read = () => readServerText(database, articleId, textVersion)
  const known = await read()
  if (known) return known
  await fetchServerText(send, database, articleId, textVersion)
  return read()
}

/**
 * Fetches the text of a version and stores it with the list; fetches the list again when the server has pruned it since,
 * and when it does not have the version yet.
 */
export async function fetchServerText(
  send: Send,
  database: LocalDatabase,
  articleId: string,
  textVersion: number,
): Promise<Fetching> {
  const read = await readRevision(send, articleId, textVersion)
  if (read.kind === 'refused') {
    if (read.status === 404) await fetchServerRevisions(send, database, articleId)
    return { kind: 'refused', message: read.message }
  }
  if (read.kind === 'unreachable') return read
  const { doc } = read
  const text = { doc, hash: documentHash(doc) }
  const key: [string, number] = [articleId, textVersion]
  if (!(await database.serverRevs.get(key))) {
    const listing = await fetchServerRevisions(send, database, articleId)
    if (listing.kind !== 'fetched') return listing
  }
  await database.serverRevs.update(key, { text })
  return { kind: 'fetched' }
}

type ReadRevision =
  | { kind: 'read'; doc: ArticleText }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreachable' }

/** Asks the server for the text of a version, and stores nothing. */
export async function readRevision(
  send: Send,
  articleId: string,
  textVersion: number,
): Promise<ReadRevision> {
  const answer = await getAnswer(send, `${revisionsPath(articleId)}/${textVersion}`)
  if (isErrorBody(answer?.json))
    return { kind: 'refused', status: answer.status, message: answer.json.message }
  const doc = readText(answer?.json, textVersion)
  return doc ? { kind: 'read', doc } : { kind: 'unreachable' }
}

/** Removes what this user may no longer read. */
async function refused(
  database: LocalDatabase,
  articleId: string,
  { status, json }: HttpAnswer,
): Promise<Fetching> {
  if (goneReason(status)) await listedOf(database, articleId).delete()
  return { kind: 'refused', message: (json as { message: string }).message }
}

/** So few rows that the page stays responsive while they are written. */
const ROWS_AT_ONCE = 200

/** Writes only what differs: of an article with thousands of versions most are here already. */
async function storeList(
  database: LocalDatabase,
  articleId: string,
  revisions: Revision[],
): Promise<void> {
  await transact(database, 'rw', ['serverRevs'], async (tables) => {
    const known = await listedOf(tables, articleId).toArray()
    const gone = new Map(known.map((row) => [row.textVersion, row]))
    const changed = revisions.flatMap((revision): ServerRevRow[] => {
      const row = gone.get(revision.textVersion)
      gone.delete(revision.textVersion)
      const isSameText = row !== undefined && identityOf(row) === identityOf(revision)
      if (isSameText && saysSame(row, revision)) return []
      return [{ ...revision, articleId, text: isSameText ? row.text : null }]
    })
    await tables.serverRevs.bulkDelete([...gone.keys()].map((version) => [articleId, version]))
    for (let from = 0; from < changed.length; from += ROWS_AT_ONCE)
      await tables.serverRevs.bulkPut(changed.slice(from, from + ROWS_AT_ONCE))
  })
}

/** Of one text: whether everything else about it is the same. */
const saysSame = (row: ServerRevRow, { reason, author, handIn }: Revision): boolean =>
  row.reason === reason &&
  row.author?.id === author?.id &&
  row.author?.name === author?.name &&
  row.handIn === handIn

/** After a restored backup the same number may be another text. */
type Identity = Pick<Revision, 'textVersion' | 'createdAt' | 'words'>
const identityOf = ({ textVersion, createdAt, words }: Identity): string =>
  `${textVersion} ${createdAt} ${words}`

function readList(json: unknown): List<Revision> | null {
  const list = (json ?? {}) as Partial<List<unknown>>
  const isList = Array.isArray(list.results) && list.results.every(isRevision)
  return isList && typeof list.totalPages === 'number' ? (list as List<Revision>) : null
}
