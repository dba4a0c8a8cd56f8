import { sql } from 'kysely'
import { beginEpoch } from '../../api/database/meta-rows.ts'
import { prepared } from '../../api/database/prepared.ts'
import type { Database } from '../../api/deps.ts'
import type { Receipt } from '../../domain/wire/hand-ins.ts'

/** Direct reads of the server's rows for the schedules, the same over each engine. */

type RevisionRow = { text_version: number; article_text: string; author_id: string | null }
type HeadRow = Omit<RevisionRow, 'author_id'> & { completed: number; deleted: number }

/** In the order of their versions, also those of an article that is deleted. */
export const revisionsAfter = prepared<{ articleId: string; after: number }, RevisionRow>(
  (db, { articleId, after }) =>
    db
      .selectFrom('article_revisions')
      .select(['text_version', 'article_text', 'author_id'])
      .where('article_id', '=', articleId)
      .where('text_version', '>', after)
      .unionAll(
        db
          .selectFrom('deleted_revisions')
          .select(['text_version', 'article_text', 'author_id'])
          .where('article_id', '=', articleId)
          .where('text_version', '>', after),
      )
      .orderBy('text_version'),
)

/** One row, or none. */
export const headOf = prepared<{ articleId: string }, HeadRow>((db, { articleId }) =>
  db
    .selectFrom('articles')
    .select(['article_text', 'completed', 'text_version', sql<number>`0`.as('deleted')])
    .where('id', '=', articleId)
    .unionAll(
      db
        .selectFrom('deleted_articles')
        .select(['article_text', 'completed', 'text_version', sql<number>`1`.as('deleted')])
        .where('id', '=', articleId),
    ),
)

/** Restores the rows of the backup, as an epoch of this name. */
export type Backup = (epoch: string) => Promise<void>

/** In the order of their references. Sessions stay: pages without one are tested elsewhere. */
const BACKED_UP = [
  'articles',
  'article_revisions',
  'deleted_articles',
  'deleted_revisions',
  'idempotency',
  'undelivered_texts',
  'hand_ins',
  'article_notes',
  'audit',
  'changes',
  'meta',
] as const

export async function backUp(db: Database): Promise<Backup> {
  const kept: object[][] = []
  for (const table of BACKED_UP) kept.push(await db.selectFrom(table).selectAll().execute())
  return (epoch) =>
    db.transaction().execute(async (inside) => {
      for (const table of [...BACKED_UP].reverse()) await inside.deleteFrom(table).execute()
      for (const [at, table] of BACKED_UP.entries()) {
        for (const row of kept[at] ?? []) {
          await inside
            .insertInto(table)
            .values(row as never)
            .execute()
        }
      }
      await beginEpoch(inside, epoch)
    })
}

/** The notes of an article and the changes of them, in order. */
export const notesOf = (db: Database, articleId: string) =>
  db
    .selectFrom('article_notes')
    .select(['kind', 'body', 'about'])
    .where('article_id', '=', articleId)
    .orderBy('id')
    .execute()

/** What was handed in of an article, and the version that each completion in the audit log names, both in order. */
export async function handInsOf(db: Database, articleId: string) {
  const handIns = await db
    .selectFrom('hand_ins')
    .select(['number', 'text_version', 'receipt'])
    .where('article_id', '=', articleId)
    .orderBy('number')
    .execute()
  const completions = await db
    .selectFrom('audit')
    .select('detail')
    .where('subject_id', '=', articleId)
    .where('action', '=', 'article.completed')
    .orderBy('id')
    .execute()
  return {
    handIns: handIns.map(({ number, text_version: textVersion, receipt }) => ({
      number,
      textVersion,
      receipt: receipt === null ? null : (JSON.parse(receipt) as Receipt),
    })),
    completed: completions.map(({ detail }) => Number(JSON.parse(detail).textVersion)),
  }
}

/** Idempotency keys under which more than one revision was created. */
export async function keysAppliedTwice(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('article_revisions')
    .select('idem_key')
    .where('idem_key', 'is not', null)
    .groupBy('idem_key')
    .having((of) => of.fn.countAll(), '>', 1)
    .execute()
  return rows.flatMap(({ idem_key }) => idem_key ?? [])
}
