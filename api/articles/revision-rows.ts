import { isRevisionName } from '../../domain/wire/state-tag.ts'
import { countRows, offsetOf } from '../database/listing-rows.ts'
import { preparedByKey } from '../database/prepared.ts'
import type { RevisionRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { sha256 } from './stored-text.ts'

/** A revision with its author's name; both null when it has no author or the account is gone. */
export type StoredRevision = Pick<
  RevisionRow,
  'text_version' | 'words' | 'reason' | 'created_at' | 'idem_key'
> & {
  author_id: string | null
  author_name: string | null
  /** Number of the latest hand-in of this text; null where it never was handed in. */
  hand_in: number | null
  article_text?: string
}

type Named = Pick<RevisionRow, 'idem_key' | 'created_at' | 'article_text'>

/**
 * Name of a revision in tags: the key of the save that made it, so that the client knows the name in advance. A plain
 * client may send no key or one that does not fit into a tag: then a digest with the time and the text is the name.
 */
export const revisionName = ({ idem_key, created_at, article_text }: Named): string =>
  idem_key !== null && isRevisionName(idem_key)
    ? idem_key
    : sha256(`${idem_key} ${created_at} ${article_text}`).slice(0, 32)

export const revisionNotFound = () =>
  new ApiError(404, 'Revision not found', { reason: 'revision_not_found' })

export async function insertRevision(db: Database, revision: RevisionRow): Promise<void> {
  await addRevision(db, revision)
}

const addRevision = preparedByKey((db, revision: RevisionRow) =>
  db.insertInto('article_revisions').values({
    article_id: revision.article_id,
    text_version: revision.text_version,
    base_text_version: revision.base_text_version,
    words: revision.words,
    author_id: revision.author_id,
    idem_key: revision.idem_key,
    reason: revision.reason,
    created_at: revision.created_at,
    article_text: revision.article_text,
  }),
)

/** One page, newest first, with the number of all. */
export async function listRevisions(
  db: Database,
  articleId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ revisions: StoredRevision[]; total: number }> {
  const revisions = await withAuthor(db, articleId)
    .orderBy('article_revisions.text_version', 'desc')
    .limit(limit)
    .offset(offsetOf({ page, limit }))
    .execute()
  const all = db.selectFrom('article_revisions').where('article_id', '=', articleId)
  return { revisions, total: await countRows(all) }
}

export function findRevision(
  db: Database,
  articleId: string,
  textVersion: number,
): Promise<(StoredRevision & { article_text: string }) | undefined> {
  return withAuthor(db, articleId)
    .select('article_revisions.article_text')
    .where('article_revisions.text_version', '=', textVersion)
    .executeTakeFirst()
}

function withAuthor(db: Database, articleId: string) {
  return db
    .selectFrom('article_revisions')
    .leftJoin('users', 'users.id', 'article_revisions.author_id')
    .select(['text_version', 'words', 'reason', 'article_revisions.created_at', 'idem_key'])
    .select(['users.id as author_id', 'users.name as author_name'])
    .select((eb) =>
      eb
        .selectFrom('hand_ins')
        .select(({ fn }) => fn.max('hand_ins.number').as('hand_in'))
        .whereRef('hand_ins.article_id', '=', 'article_revisions.article_id')
        .whereRef('hand_ins.text_version', '=', 'article_revisions.text_version')
        .as('hand_in'),
    )
    .where('article_revisions.article_id', '=', articleId)
}
