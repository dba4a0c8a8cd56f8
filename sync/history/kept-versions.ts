import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { KeptVersion } from '../../domain/writing/writing-record.ts'
import type { Send } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { fetchServerRevisions, readRevision } from './server-revisions.ts'
import { readVersions, type Version } from './versions.ts'

const REQUESTS_AT_ONCE = 6

type Wanted = {
  send: Send
  database: LocalDatabase
  articleId: string
  /** The last of them, by the server's number; null for the current text. */
  until: number | null
  /** Called with one after another, the oldest first. */
  take: (version: KeptVersion) => void
  /** Whether nothing waits for the rest. */
  isOver: () => boolean
}

/** `partly`: some texts are neither on this computer nor can be had now. */
export type KeptReading = 'whole' | 'partly' | 'failed'

/**
 * Reads the texts that the server keeps of an article, and the current one of this computer. Those that are not here are
 * fetched and not stored: they would fill the disk.
 */
export async function readKeptVersions(from: Wanted): Promise<KeptReading> {
  const { send, database, articleId, until, take, isOver } = from
  const listing = await fetchServerRevisions(send, database, articleId)
  if (listing.kind === 'refused') return 'failed'
  const isWanted = ({ server, isPresent }: Version) =>
    server === null ? isPresent && until === null : server.textVersion <= (until ?? Infinity)
  const versions = (await readVersions(database, articleId)).filter(isWanted).reverse()
  let reading: KeptReading = listing.kind === 'fetched' ? 'whole' : 'partly'

  async function textOf({ text, server }: Version): Promise<ArticleText | null> {
    if (text !== null || server === null || reading !== 'whole') return text
    const read = await readRevision(send, articleId, server.textVersion)
    if (read.kind === 'read') return read.doc
    if (read.kind === 'unreachable') reading = 'partly'
    else if (read.status !== 404) reading = 'failed'
    return null
  }

  for (let start = 0; start < versions.length && !isOver(); start += REQUESTS_AT_ONCE) {
    const part = versions.slice(start, start + REQUESTS_AT_ONCE)
    const texts = await Promise.all(part.map(textOf))
    for (const [index, version] of part.entries()) {
      const text = texts[index]
      if (text) take(keptVersion(version, text))
    }
  }
  return reading
}

const keptVersion = ({ at, server, words }: Version, text: ArticleText): KeptVersion => ({
  at,
  textVersion: server?.textVersion ?? null,
  author: server?.author ?? null,
  handIn: server?.handIn ?? null,
  words,
  text: plainText(text),
})
