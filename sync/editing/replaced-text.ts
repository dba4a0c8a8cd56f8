import type { RevisionWithText } from '../../domain/wire-articles.ts'
import type { Send } from '../ports.ts'
import { isErrorBody, type Replaced } from '../protocol/reaction.ts'
import { getAnswer, readText, revisionsPath } from '../protocol/revision-requests.ts'
import type { ServerText } from '../store/doc-rows.ts'
import { measure } from '../store/measured-text.ts'

/**
 * The text that a save replaced, as the server has kept it. 'gone' where it has not; null when nothing came, or the text
 * of another revision.
 */
export async function fetchReplaced(
  send: Send,
  articleId: string,
  { textVersion, revision }: Replaced,
): Promise<ServerText | 'gone' | null> {
  const answer = await getAnswer(send, `${revisionsPath(articleId)}/${textVersion}`)
  if (answer?.status === 404 && isErrorBody(answer.json)) return 'gone'
  const doc = readText(answer?.json, textVersion)
  if (!answer || !doc) return null
  const { revision: name = revision, author } = answer.json as RevisionWithText
  return name === revision
    ? { articleId, textVersion, revision, ...measure(doc), by: author }
    : null
}
