import { FILE_DATES, utcTime } from '../../../../domain/calendar/file-dates.ts'
import { csvFileText } from '../../../../domain/lists/csv.ts'
import { wordCount } from '../../../../domain/text/article-text.ts'
import type { ArticleText } from '../../../../domain/text/document.ts'
import type { Article } from '../../../../domain/wire/articles.ts'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import type { KeptText } from '../../../../sync/status/kept-text.ts'
import type { FileFormat } from '../../../exports/article-file.ts'
import { GENERAL_ERROR, refusalWords } from '../../../ui/words/refusal-words.ts'
import type { Archive } from './archive.ts'
import { createSavedPaths, type SavedPaths } from './saved-paths.ts'

/** An archive has at most so many articles, and files of about so many bytes before they are packed; then another begins. */
export const PART_ARTICLES_MAX = 500
export const PART_BYTES_MAX = 100_000_000

/** Requests at a time. */
const AT_ONCE = 4

/** `name` is what the screen knows of it already. */
export type WantedArticle = { id: string; name: string }

/** What the saving asks for; all but `kept` reject with Refused or NoAnswer. */
export type SaveAllPorts = {
  read: (articleId: string) => Promise<Article>
  handIns: (articleId: string) => Promise<HandIn[]>
  /** The text as this computer has it; null where it has none. */
  kept: (articleId: string) => Promise<KeptText | null>
  receiptFile: (receipt: Receipt) => string
  openArchive: () => Archive
}

export type MissingArticle = WantedArticle & { reason: string }

export type SaveAllResult = {
  parts: Blob[]
  saved: number
  /** Articles whose text is the one of this computer, as the server could not be asked. */
  fromHere: number
  /** There may be others, of which nothing is known here. */
  isPart: boolean
  /** Not in the archive. */
  missing: MissingArticle[]
  /** In the archive, but without their receipts. */
  withoutReceipts: WantedArticle[]
}

type SaveAllRequest = {
  wanted: readonly WantedArticle[]
  /** There may be others, which is not known without a connection. */
  isPart: boolean
  format: FileFormat
  onProgress: (done: number) => void
  signal: AbortSignal
}

type Found = {
  name: string
  client: string | null
  text: ArticleText
  completed: boolean | null
  updatedAt: string
  /** Where the text is from, where that is not the server. */
  note: string
  receipts: Receipt[] | null
}

type Fetched = { wanted: WantedArticle } & ({ found: Found } | { reason: string })

/**
 * Writes the articles in their order into archives, each with an index. What could not be fetched is in the index and in
 * the result. Rejects when `signal` aborts, and when an archive cannot be written.
 */
export async function saveAll(
  ports: SaveAllPorts,
  request: SaveAllRequest,
): Promise<SaveAllResult> {
  const { wanted, format, onProgress, signal } = request
  const result: SaveAllResult = {
    parts: [],
    saved: 0,
    fromHere: 0,
    isPart: request.isPart,
    missing: [],
    withoutReceipts: [],
  }
  let part = openPart(ports, format)
  try {
    let done = 0
    for await (const fetched of inOrder(wanted, (each) => fetchOne(ports, each), signal)) {
      if (isFull(part)) {
        result.parts.push(await finishPart(part))
        part = openPart(ports, format)
      }
      await addTo(part, fetched, ports)
      count(result, fetched)
      done += 1
      onProgress(done)
    }
    if (request.isPart) part.rows.push(['', '', '', '', '', '', '', NOT_ALL, ''])
    result.parts.push(await finishPart(part))
    signal.throwIfAborted()
    return result
  } finally {
    part.archive.close()
  }
}

function count(result: SaveAllResult, fetched: Fetched): void {
  const { wanted } = fetched
  if ('reason' in fetched) {
    result.missing.push({ ...wanted, reason: fetched.reason })
    return
  }
  result.saved += 1
  if (fetched.found.note !== '') result.fromHere += 1
  if (fetched.found.receipts === null) result.withoutReceipts.push(wanted)
}

/** Runs a few at a time, and yields in the order of `all`. */
async function* inOrder<T, R>(
  all: readonly T[],
  run: (one: T) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for (const one of all) {
    signal.throwIfAborted()
    running.push(run(one))
    if (running.length >= AT_ONCE) yield (await running.shift()) as R
  }
  for (const last of running) {
    signal.throwIfAborted()
    yield await last
  }
}

/** A response is better than what is here; without one, what is here is better than nothing. */
async function fetchOne(ports: SaveAllPorts, wanted: WantedArticle): Promise<Fetched> {
  try {
    const article = await ports.read(wanted.id)
    const { name, clientId, articleText = {}, completed, updatedAt, handIns = 0 } = article
    const receipts = handIns > 0 ? await receiptsOf(ports, wanted.id) : []
    const client = clientId && !clientId.deleted ? clientId.name : null
    const found = { name, client, text: articleText, completed, updatedAt, note: '', receipts }
    return { wanted, found }
  } catch (error) {
    if (!(error instanceof NoAnswer)) return { wanted, reason: messageOf(error) }
    const kept = await ports.kept(wanted.id).catch(() => null)
    if (!kept) return { wanted, reason: 'No connection, and not on this computer' }
    const note = `Text on this computer, ${FILE_DATES.timeOf(new Date(kept.at).toISOString())}`
    const found = { ...kept, completed: null, updatedAt: '', note, receipts: null }
    return { wanted, found }
  }
}

async function receiptsOf(ports: SaveAllPorts, articleId: string): Promise<Receipt[] | null> {
  try {
    const handIns = await ports.handIns(articleId)
    return handIns.flatMap(({ receipt }) => (receipt ? [receipt] : []))
  } catch {
    return null
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? refusalWords(error.message) : GENERAL_ERROR

const NOT_ALL = 'No connection: other articles of the client may be missing'

type Part = {
  archive: Archive
  format: FileFormat
  paths: SavedPaths
  rows: string[][]
  articles: number
  bytes: number
}

const HEAD = [
  'Article',
  'Client',
  'File',
  'Words',
  'Complete',
  'Last modified (UTC)',
  'Receipts',
  'Note',
  'Id',
]

const openPart = (ports: SaveAllPorts, format: FileFormat): Part => ({
  archive: ports.openArchive(),
  format,
  paths: createSavedPaths(),
  rows: [HEAD],
  articles: 0,
  bytes: 0,
})

const isFull = ({ articles, bytes }: Part): boolean =>
  articles >= PART_ARTICLES_MAX || bytes >= PART_BYTES_MAX

async function addTo(part: Part, fetched: Fetched, ports: SaveAllPorts): Promise<void> {
  const { wanted } = fetched
  part.articles += 1
  if ('reason' in fetched) {
    part.rows.push([wanted.name, '', '', '', '', '', '', `Missing: ${fetched.reason}`, wanted.id])
    return
  }
  const { name, client, text, receipts, completed, updatedAt, note } = fetched.found
  const { archive, format, paths } = part
  const path = paths.article(client, name, format)
  part.bytes += await archive.add({ kind: 'article', path, format, title: name, text })
  for (const receipt of receipts ?? []) {
    const file = paths.receipt(client, name, receipt.number)
    part.bytes += await archive.add({
      kind: 'file',
      path: file,
      content: ports.receiptFile(receipt),
    })
  }
  part.rows.push([
    name,
    client ?? '',
    path,
    String(wordCount(text)),
    completed === null ? '' : completed ? 'Yes' : 'No',
    utcTime(updatedAt),
    receipts === null ? 'Not fetched' : String(receipts.length),
    note,
    wanted.id,
  ])
}

async function finishPart({ archive, rows }: Part): Promise<Blob> {
  await archive.add({ kind: 'file', path: 'index.csv', content: csvFileText(rows) })
  return archive.finish()
}
