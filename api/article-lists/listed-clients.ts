import { nearNames } from '../../domain/names/near-names.ts'
import { caseless } from '../../domain/names/same-name.ts'
import type { ArticleListAnswer, ClientDecision } from '../../domain/wire/article-lists.ts'
import { groupsOf } from '../database/listing-rows.ts'
import type { Database } from '../deps.ts'

/** The clients that a list names. */

type Named = { id: string; name: string }

/**
 * What a name means: a client, one that the run creates, none, or nothing yet. `key` is the same for equal clients
 * of one list, and no id while there is none.
 */
export type ListedClient =
  | { kind: 'known'; key: string; id: string; name: string }
  | { kind: 'created'; key: string; id: string; name: string }
  | { kind: 'unknown'; key: string; name: string }
  | { kind: 'none' }

/** Articles of a list, or other entries that may name a client. */
type Asked = { articles: readonly { client?: string | undefined }[]; decisions: ClientDecision[] }

export type ListedClients = {
  /** `name` is undefined where the list gives no client. */
  of(name: string | undefined): ListedClient
  unknown: ArticleListAnswer['unknownClients']
}

/** Clients whose names are near, of each unknown name. */
const NEAR_MAX = 3

/**
 * Names are compared without case. One that belongs to a single client is that client, whatever was decided before it was
 * there. A decision for a client that is gone counts as none. `create` makes a client, once for each name.
 */
export async function listedClients(
  db: Database,
  { articles, decisions }: Asked,
  create: (name: string) => Promise<Named>,
): Promise<ListedClients> {
  const names = new Map<string, { name: string; articles: number }>()
  for (const { client } of articles) {
    if (client === undefined) continue
    const key = caseless(client)
    const { name, articles: others } = names.get(key) ?? { name: client, articles: 0 }
    names.set(key, { name, articles: others + 1 })
  }
  const live = names.size === 0 ? [] : await liveClients(db)
  const known = byName(live)
  const decided = new Map(decisions.map(({ name, use }) => [caseless(name), use]))
  const found = new Map<string, ListedClient>()
  for (const [key, { name }] of names) {
    const use = decided.get(key)
    found.set(key, await clientFor({ key, name, use, same: known.get(key) ?? [] }, live, create))
  }
  const isUnknown = (key: string) => found.get(key)?.kind === 'unknown'
  const near = nearNames(live, NEAR_MAX)
  return {
    of: (name) => (name === undefined ? undefined : found.get(caseless(name))) ?? { kind: 'none' },
    unknown: [...names]
      .filter(([key]) => isUnknown(key))
      .map(([key, { name, articles: count }]) => {
        const same = known.get(key)?.slice(0, NEAR_MAX)
        return { name, articles: count, near: same ?? near(name) }
      }),
  }
}

type Wanted = { key: string; name: string; use: ClientDecision['use'] | undefined; same: Named[] }

async function clientFor(
  { key, name, use, same }: Wanted,
  live: readonly Named[],
  create: (name: string) => Promise<Named>,
): Promise<ListedClient> {
  const [only] = same
  if (only !== undefined && same.length === 1) return { kind: 'known', key: only.id, ...only }
  if (use === 'none') return { kind: 'none' }
  if (use === 'create') {
    const { id } = await create(name)
    return { kind: 'created', key: id, id, name }
  }
  const chosen = live.find(({ id }) => id === use)
  if (chosen !== undefined) return { kind: 'known', key: chosen.id, ...chosen }
  return { kind: 'unknown', key: `unknown ${key}`, name }
}

const byName = (clients: readonly Named[]): Map<string, Named[]> =>
  groupsOf(
    clients,
    ({ name }) => caseless(name),
    (client) => client,
  )

const liveClients = (db: Database): Promise<Named[]> =>
  db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .orderBy('name_folded')
    .orderBy('id')
    .execute()
