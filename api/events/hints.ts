import { isAdmin, type Viewer } from '../../domain/access/permissions.ts'
import type { Hint } from '../../domain/wire/news.ts'
import type { Database } from '../deps.ts'
import { type Change, changesSince, membersOf } from './change-rows.ts'

/** More would not fit into a stream's buffer: a single hint then makes every client compare its lists. */
const HINTS_MAX = 100

/** Null readers: for every listener. Admins may see every article. */
export type HintFor = { hint: Hint; readers: ReadonlySet<string> | null }

export const isFor =
  (viewer: Viewer) =>
  ({ readers }: HintFor): boolean =>
    readers === null || readers.has(viewer.id) || isAdmin(viewer)

/**
 * One hint for each article that changed after `seq`, and one for the lists if those did: of several changes only the
 * last.
 */
export async function hintsSince(db: Database, seq: number): Promise<HintFor[]> {
  const changes = await changesSince(db, seq)
  const last = new Map(changes.map((change) => [change.article?.id, change]))
  if (changes[0]?.seq !== seq + 1)
    last.set(undefined, { seq: changes.at(-1)?.seq ?? seq, article: null })
  const latest = [...last.values()].sort((a, b) => a.seq - b.seq)
  const newest = latest.at(-1)
  if (newest && latest.length > HINTS_MAX) return [{ hint: { seq: newest.seq }, readers: null }]
  const members = await membersOf(db, clientsOf(latest))
  return latest.map(({ seq, article }) => {
    if (article === null) return { hint: { seq }, readers: null }
    const { id, version, textVersion, notes, plan, clientId } = article
    const readers = (clientId !== null && members.get(clientId)) || new Set<string>()
    const counted = { ...(notes > 0 && { notes }), ...(plan !== null && { plan }) }
    return { hint: { seq, articleId: id, version, textVersion, ...counted }, readers }
  })
}

const clientsOf = (changes: Change[]): string[] => [
  ...new Set(changes.flatMap(({ article }) => article?.clientId ?? [])),
]
