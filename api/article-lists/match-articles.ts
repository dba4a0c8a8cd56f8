import { foldName } from '../../domain/names/folded-name.ts'
import { caseless } from '../../domain/names/same-name.ts'
import type { Database } from '../deps.ts'
import type { ListedClient } from './listed-clients.ts'

/** Which article an entry of the list means. */
export type Match = { kind: 'new' } | { kind: 'found'; id: string } | { kind: 'unclear' }

type Candidate = { id: string; clientKey: string | null }

/** The articles with the names of a list, as the run leaves them after each entry. */
export type NamedArticles = {
  /** Ids of the articles that were there before the run. */
  ids: readonly string[]
  match(name: string, client: ListedClient): Match
  /** Notes that the article with this name now belongs to this client. */
  note(name: string, article: { id: string; client: ListedClient }): void
}

export async function namedArticles(
  db: Database,
  names: readonly string[],
): Promise<NamedArticles> {
  const rows = await db
    .selectFrom('articles')
    .select(['id', 'name', 'client_id'])
    .where('name_folded', 'in', [...new Set(names.map(foldName))])
    .orderBy('id')
    .execute()
  const byName = new Map<string, Candidate[]>()
  const sameName = (name: string) => byName.get(caseless(name)) ?? []
  const add = (name: string, candidate: Candidate) =>
    void byName.set(caseless(name), [...sameName(name), candidate])
  for (const { id, name, client_id } of rows) add(name, { id, clientKey: client_id })
  return {
    ids: rows.map(({ id }) => id),
    match: (name, client) => matchAmong(sameName(name), client),
    note(name, { id, client }) {
      const known = sameName(name).find((candidate) => candidate.id === id)
      const clientKey = client.kind === 'none' ? null : client.key
      if (known === undefined) add(name, { id, clientKey })
      // An entry without a client takes none away.
      else known.clientKey = clientKey ?? known.clientKey
    },
  }
}

/**
 * With a client: the article of that client, else the one without a client, which it then gets. Without: the only one,
 * whatever its client.
 */
function matchAmong(same: readonly Candidate[], client: ListedClient): Match {
  if (client.kind === 'none') return onlyOf(same)
  const own = onlyOf(same.filter(({ clientKey }) => clientKey === client.key))
  return own.kind === 'new' ? onlyOf(same.filter(({ clientKey }) => clientKey === null)) : own
}

function onlyOf(candidates: readonly Candidate[]): Match {
  const [only] = candidates
  if (only === undefined) return { kind: 'new' }
  return candidates.length > 1 ? { kind: 'unclear' } : { kind: 'found', id: only.id }
}
