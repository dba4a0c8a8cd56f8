import type { Dates } from '../../../domain/calendar/dates.ts'
import { foldName } from '../../../domain/names/folded-name.ts'
import type { Client } from '../../../domain/wire/clients.ts'

/** Details of a client; each is added only while those before it are equal for two clients. */
const DETAILS: readonly ((client: Client, dates: Dates) => string)[] = [
  ({ users }) =>
    users.length === 0 ? 'No users' : users.map(({ name, email }) => name || email).join(', '),
  ({ moonOwlClient }) => (moonOwlClient ? 'Moon & Owl client' : 'External client'),
  ({ id }, dates) => `Created ${dates.dateTime(createdAt(id))}`,
  ({ id }) => `No. ${id.slice(-4)}`,
]

/** Distinguishing details by client id, for clients whose names look the same. */
export function detailsOfSameNames(
  clients: readonly Client[],
  dates: Dates,
): ReadonlyMap<string, string> {
  const unique = [...new Map(clients.map((client) => [client.id, client])).values()]
  const groups = groupsOf(unique, ({ name }) => foldName(name))
  return new Map(groups.flatMap((group) => [...detailed(group, dates)]))
}

function detailed(group: readonly Client[], dates: Dates, used = 1): Map<string, string> {
  const details = new Map(
    group.map((client) => [
      client.id,
      DETAILS.slice(0, used)
        .map((detailOf) => detailOf(client, dates))
        .join(' · '),
    ]),
  )
  const isTold = new Set(details.values()).size === group.length
  return isTold || used === DETAILS.length ? details : detailed(group, dates, used + 1)
}

/** Groups with at least two items. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** In milliseconds since 1970. Ids are UUIDs of version 7, which begin with the time. */
const createdAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
