import { createWordTracer } from '../../domain/text/brought-words.ts'
import type { ReceiptFacts } from '../../domain/wire/hand-ins.ts'
import type { ArticleWithText } from '../articles/article-rows.ts'
import type { Database } from '../deps.ts'
import { giveWay } from '../process/give-way.ts'

type Authors = Pick<ReceiptFacts, 'authors' | 'authorsSince'>

/** Characters of versions that are compared with the text: about half a second of work. */
const COMPARED_MAX = 2_000_000

/** The last of consecutive versions by one author. `name` is null for the agency's outline. */
type Turn = { textVersion: number; authorId: string | null; name: string | null }

/** Returns the authors of the article's current text. `since`: the version of the previous hand-in; null for the first. */
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

/** Returns the turns whose authors have words in the text. Beyond COMPARED_MAX all later turns are returned uncompared. */
async function turnsWithWords(
  db: Database,
  { id, article_text }: ArticleWithText,
  turns: readonly Turn[],
): Promise<Turn[]> {
  const brings = createWordTracer(JSON.parse(article_text))
  const found: Turn[] = []
  let compared = 0
  for (const [at, turn] of turns.entries()) {
    if (namesOf(found).length === namesOf(turns).length) return found
    if (compared > COMPARED_MAX) return [...found, ...turns.slice(at)]
    const version = await db
      .selectFrom('article_revisions')
      .select('article_text')
      .where('article_id', '=', id)
      .where('text_version', '=', turn.textVersion)
      .executeTakeFirstOrThrow()
    compared += version.article_text.length
    if (brings(JSON.parse(version.article_text))) found.push(turn)
    // Other writers wait for the end of the transaction, readers need not.
    await giveWay()
  }
  return found
}

const namesOf = (turns: readonly Turn[]): string[] =>
  [...new Map(turns.map(({ authorId, name }) => [authorId, name])).values()].filter(
    (name) => name !== null,
  )
