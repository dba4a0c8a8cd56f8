import { createWordTracer } from '../../domain/text/brought-words.ts'
import type { ReceiptFacts } from '../../domain/wire/hand-ins.ts'
import type { ArticleWithText } from '../articles/article-rows.ts'
import type { Database } from '../deps.ts'

type Authors = Pick<ReceiptFacts, 'authors' | 'authorsSince'>

/** Versions that are compared with the text. Two users who write at once make one each few seconds. */
const COMPARED_MAX = 50

/** The last of consecutive versions by one author. The author of the agency's outline is not named. */
type Turn = { textVersion: number; authorId: string | null; name: string | null }

/** The names that a receipt has of the article's current text. `since`: the version handed in before; null without one. */
export async function authorsOf(
  db: Database,
  article: ArticleWithText,
  since: number | null,
): Promise<Authors> {
  const turns = await turnsOf(db, article)
  const changed = since === null ? null : turns.filter(({ textVersion }) => textVersion > since)
  return {
    authors: namesOf(await turnsWithWords(db, article, turns)),
    authorsSince: changed && namesOf(changed),
  }
}

async function turnsOf(db: Database, { id, text_version }: ArticleWithText): Promise<Turn[]> {
  const versions = await db
    .selectFrom('article_revisions')
    .leftJoin('users', 'users.id', 'article_revisions.author_id')
    .select(['text_version', 'reason', 'author_id', 'users.name'])
    .where('article_id', '=', id)
    .where('text_version', '<=', text_version)
    .orderBy('text_version')
    .execute()
  const turns = versions.map(
    ({ text_version: textVersion, reason, author_id, name }): Turn =>
      reason === 'created'
        ? { textVersion, authorId: null, name: null }
        : { textVersion, authorId: author_id ?? GONE, name: name ?? 'a former user' },
  )
  return turns.filter(({ authorId }, at) => turns[at + 1]?.authorId !== authorId)
}

const GONE = 'gone'

/** Those whose authors have words in the text. Not compared when there are too many: all of the others. */
async function turnsWithWords(
  db: Database,
  { id, article_text }: ArticleWithText,
  turns: readonly Turn[],
): Promise<Turn[]> {
  const brings = createWordTracer(JSON.parse(article_text))
  const found: Turn[] = []
  for (const turn of turns.slice(0, COMPARED_MAX)) {
    if (namesOf(found).length === namesOf(turns).length) return found
    const version = await db
      .selectFrom('article_revisions')
      .select('article_text')
      .where('article_id', '=', id)
      .where('text_version', '=', turn.textVersion)
      .executeTakeFirstOrThrow()
    if (brings(JSON.parse(version.article_text))) found.push(turn)
  }
  return [...found, ...turns.slice(COMPARED_MAX)]
}

const namesOf = (turns: readonly Turn[]): string[] =>
  [...new Map(turns.map(({ authorId, name }) => [authorId, name])).values()].filter(
    (name) => name !== null,
  )
