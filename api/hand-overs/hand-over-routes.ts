import { Hono } from 'hono'
import { htmlOfText } from '../../domain/exports/article-html.ts'
import { HAND_OVERS_BYTES } from '../../domain/limits.ts'
import type { HandOver, HandOvers } from '../../domain/wire/hand-overs.ts'
import { handOversQuery } from '../../domain/wire/list-query.ts'
import { taggedJson } from '../articles/tagged-json.ts'
import type { Deps } from '../deps.ts'
import type { AppEnv } from '../http/authenticate.ts'
import { readQuery } from '../http/listing-query.ts'
import { giveWay } from '../process/give-way.ts'
import { requireProgram } from '../programs/authenticate-program.ts'
import { type HandOverRow, listHandOvers } from './hand-over-rows.ts'

/** What `app.ts` mounts at /v1/hand-overs. */
export function handOverRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.get('/', requireProgram(deps), async (c) => {
    const { since, limit } = readQuery(c, handOversQuery)
    c.get('traffic')?.expecting(HAND_OVERS_BYTES)
    const { clientIds } = c.get('program')
    const { rows, more } = await deps.reads.read((db) =>
      listHandOvers(db, { clientIds, since, limit }),
    )
    const results: HandOver[] = []
    for (const row of rows) {
      results.push(handOverOf(row))
      await giveWay()
    }
    const next = results.at(-1)?.position ?? since
    const page: HandOvers = { results, next, more }
    return taggedJson(c, JSON.stringify(page))
  })

  return routes
}

const handOverOf = (row: HandOverRow): HandOver => ({
  position: row.position,
  articleId: row.article_id,
  number: row.number,
  at: row.at,
  clientId: row.client_id,
  reopenedAt: row.reopened_at,
  name: row.name,
  html: row.text === null ? null : htmlOfText(JSON.parse(row.text)),
  receipt: row.receipt === null ? null : JSON.parse(row.receipt),
})
