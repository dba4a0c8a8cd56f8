import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  // No reference to articles: an article that is deleted and brought back still has them.
  `create table hand_ins (
    article_id text not null,
    number integer not null,
    text_version integer not null,
    at text not null,
    primary key (article_id, number)
  )`,

  // Earlier completions did not name their version: it was the last one of that moment.
  `insert into hand_ins (article_id, number, text_version, at)
    select article_id, row_number() over (partition by article_id order by at, id), text_version, at
    from (
      select audit.subject_id as article_id, audit.id as id, audit.at as at, (
        select max(text_version) from article_revisions
        where article_revisions.article_id = audit.subject_id and created_at <= audit.at
      ) as text_version
      from audit where action = 'article.completed'
    ) completions
    where text_version is not null`,
]

/** Which text version was handed in whenever an article was completed. */
export async function handIns(db: Database): Promise<void> {
  await runStatements(db, statements)
}
