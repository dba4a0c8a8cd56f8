import type { Article, StaleArticle } from '../../domain/wire/articles.ts'
import type { Effects } from '../ports.ts'
import type { ArticleAnswer } from '../protocol/push-result.ts'
import { unblock } from '../store/blocked-text.ts'
import type { ArticleRow } from '../store/database.ts'
import type { ServerText } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import type { In } from '../store/transaction.ts'

/** The server's state of an article in the rows. It only moves forward: an older response changes nothing. */

/** Stores the version in a response to a PATCH. */
export async function noteVersion(
  tables: In<'articles' | 'outbox'>,
  answer: ArticleAnswer | (StaleArticle & { id: string }),
  effects: Effects,
): Promise<void> {
  const row = newerRow(await tables.articles.get(answer.id), answer)
  if (!row) return
  await tables.articles.put(row)
  if (!answer.completed) await unblockCompleted(tables, answer.id, effects)
}

/** Null when the response has nothing newer about an article that is stored here. */
export const newerRow = (
  known: ArticleRow | undefined,
  answer: Omit<StaleArticle, 'articleText' | 'updatedBy'> & Pick<Article, 'completion' | 'handIns'>,
): ArticleRow | null => {
  const { version, textVersion, updatedAt } = answer
  if (!known || version <= known.version) return null
  const completed = answer.completed ? 1 : 0
  const handIns = answer.handIns ?? known.handIns
  const completion = completionOf(answer)
  return { ...known, version, textVersion, completed, completion, updatedAt, handIns }
}

export const completionOf = ({
  completed,
  completion,
}: Pick<Article, 'completed' | 'completion'>) =>
  completed && completion ? { by: completion.by?.name ?? null, at: completion.at } : null

/** Unblocks text that was blocked because the article was completed. */
export async function unblockCompleted(
  tables: In<'outbox'>,
  articleId: string,
  effects: Effects,
): Promise<void> {
  await unblock(tables, articleId, ['completed'], {
    key: effects.newId(),
    now: effects.now(),
  })
}

/** The text as the server has it, in the shape of the rows. */
export const serverText = (
  articleId: string,
  text: Pick<Article, 'textVersion' | 'articleText' | 'updatedBy' | 'revision'>,
  epoch: string | null = null,
): ServerText => {
  const { textVersion, articleText = {}, updatedBy = null, revision } = text
  return { articleId, textVersion, revision, ...measure(articleText), by: updatedBy, epoch }
}
