import { Hono } from 'hono'
import { monthIn } from '../../domain/calendar/month.ts'
import { RECEIPT_BODY_BYTES } from '../../domain/limits.ts'
import { canonicalJson } from '../../domain/text/canonical.ts'
import { type Receipt, type ReceiptCheck, receiptCheckBody } from '../../domain/wire/hand-ins.ts'
import { handInsQuery, monthQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import type { MonthSheet } from '../../domain/wire/progress.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireAdmin, requireUser } from '../http/authenticate.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { findReceipt, listHandIns } from './hand-in-rows.ts'
import { listMonth } from './month-rows.ts'
import { isGenuine } from './receipt.ts'

/** What was handed in: of an article for its readers, of a month for admins. Routes that `app.ts` mounts at /v1. */
export function handInRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/articles/:id/hand-ins', user, async (c) => {
    const list = await deps.reads.read(async (db) => {
      const id = await readableId(db, c)
      const { page, limit } = readQuery(c, handInsQuery)
      const { handIns, total } = await listHandIns(db, id, { page, limit })
      return listOf(handIns, page, limit, total)
    })
    return jsonResponse(c, JSON.stringify(list))
  })

  routes.get('/hand-ins', user, requireAdmin, async (c) => {
    const { month, clientId, page, limit } = readQuery(c, monthQuery)
    const span = monthIn(deps.config.timeZone, month)
    const found = await deps.reads.read((db) =>
      listMonth(db, { ...span, clientId }, { page, limit }),
    )
    const { rows, total, words, belowMinimum } = found
    const sheet: MonthSheet = { ...listOf(rows, page, limit, total), month, words, belowMinimum }
    return jsonResponse(c, JSON.stringify(sheet))
  })

  routes.post('/hand-ins/verify', user, async (c) => {
    const { receipt } = await readJson(c, receiptCheckBody, RECEIPT_BODY_BYTES)
    return c.json(await checkReceipt(deps, receipt))
  })

  return routes
}

/**
 * With a lost pepper no signature fits any more; a receipt that the server has kept is still known character by
 * character.
 */
async function checkReceipt({ db, keys }: Deps, receipt: Receipt): Promise<ReceiptCheck> {
  const kept = await findReceipt(db, receipt.article.id, receipt.number)
  const isKept = kept !== null && canonicalJson(kept) === canonicalJson(receipt)
  return { known: kept !== null, intact: isKept || (await isGenuine(db, keys, receipt)) }
}
