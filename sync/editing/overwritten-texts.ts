import type { ArticleText } from '../../domain/text/document.ts'
import type { EarlierSave, RevisionWithText } from '../../domain/wire/articles.ts'
import { merge3 } from '../merge/merge3.ts'
import type { Send } from '../ports.ts'
import { isErrorBody } from '../protocol/error-response.ts'
import { overwriting, type SentSave } from '../protocol/push-result.ts'
import { getAnswer, readText, revisionsPath } from '../protocol/revision-requests.ts'
import type { Draft } from '../store/draft-rows.ts'
import type { ServerText } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import type { WrittenByBoth } from './both-places.ts'

/** A text that a save overwrote. `from`: the text of this device that it grew from; null where that is the draft's base. */
export type Overwritten = { text: ServerText; from: ArticleText | null }

/**
 * The texts that these saves of an article overwrote, in order, as far as the server kept them. Null when a fetch
 * failed.
 */
export async function fetchOverwritten(
  send: Send,
  articleId: string,
  sent: SentSave,
  saves: readonly EarlierSave[],
): Promise<Overwritten[] | null> {
  const lost: Overwritten[] = []
  for (const save of overwriting(sent, saves)) {
    if (!save.replaced) continue
    const text = await fetchText(send, articleId, save.replaced)
    if (text === null) return null
    if (text === 'gone') continue
    // Two keys may name one version: the same text was sent twice.
    const before = saves.findLast(({ textVersion }) => textVersion < save.textVersion)
    const own = before ? await fetchText(send, articleId, before) : 'gone'
    if (own === null) return null
    lost.push({ text, from: own === 'gone' ? null : own.doc })
  }
  return lost
}

/** `both`: where this device had written too, and the author of the other words. */
export function mergeOverwritten(
  { doc, baseDoc, typedRuns }: Pick<Draft, 'doc' | 'baseDoc' | 'typedRuns'>,
  lost: readonly Overwritten[],
): { document: ArticleText; both: WrittenByBoth[] } {
  let document = doc
  const both: WrittenByBoth[] = []
  for (const { text, from } of lost) {
    const merge = merge3(from ?? baseDoc, document, text.doc, { mine: typedRuns })
    const by = text.by ? [text.by] : []
    document = merge.document
    both.push(...merge.both.map((one) => ({ ...one, by })))
  }
  return { document, both }
}

/**
 * The text as the server kept it. 'gone' where it has not; null without a response, or for the text of another
 * revision.
 */
async function fetchText(
  send: Send,
  articleId: string,
  { textVersion, revision }: Pick<EarlierSave, 'textVersion' | 'revision'>,
): Promise<ServerText | 'gone' | null> {
  const answer = await getAnswer(send, `${revisionsPath(articleId)}/${textVersion}`)
  // An article that is not found may be shared again.
  if (isErrorBody(answer?.json) && answer.json.reason === 'revision_not_found') return 'gone'
  const doc = readText(answer?.json, textVersion)
  if (!answer || !doc) return null
  const { revision: name = revision, author } = answer.json as RevisionWithText
  return name === revision
    ? { articleId, textVersion, revision, ...measure(doc), by: author }
    : null
}
