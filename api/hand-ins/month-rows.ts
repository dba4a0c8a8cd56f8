import { sql } from 'kysely'
import type { Receipt } from '../../domain/wire/hand-ins.ts'
import type { MonthRow } from '../../domain/wire/progress.ts'
import { nearerSpan } from '../database/listing-rows.ts'
import type { Database } from '../deps.ts'

/** `from` and `until`: ISO times. No client id means all clients, and hand-ins without one. */
export type Month = { from: string; until: string; clientId: string[] }
type MonthTotals = { total: number; words: number; belowMinimum: number }

/**
 * One page of the hand-ins of a month that have a receipt, oldest first, with the sums of all of them. Those of deleted
 * articles are among them.
 */
export async function listMonth(
  db: Database,
  month: Month,
  page: { page: number; limit: number },
): Promise<MonthTotals & { rows: MonthRow[] }> {
  const totals = await totalsOf(db, month)
  const { offset, length, isBackwards } = nearerSpan(page, totals.total)
  const order = isBackwards ? 'desc' : 'asc'
  const rows = await handedIn(db, month)
    .select(['client_id', 'receipt'])
    .select((eb) =>
      eb
        .selectFrom('hand_ins as each')
        .select(({ fn }) => fn.max<number>('each.number').as('last'))
        .whereRef('each.article_id', '=', 'hand_ins.article_id')
        .as('last'),
    )
    .orderBy('at', order)
    .orderBy('article_id', order)
    .orderBy('number', order)
    .limit(length)
    .offset(offset)
    .execute()
  const inOrder = isBackwards ? rows.reverse() : rows
  return { ...totals, rows: inOrder.flatMap(monthRows) }
}

function handedIn(db: Database, { from, until, clientId }: Month) {
  const all = db
    .selectFrom('hand_ins')
    .where('at', '>=', from)
    .where('at', '<', until)
    .where('words', 'is not', null)
  return clientId.length === 0 ? all : all.where('client_id', 'in', clientId)
}

/** Sums that the indexes of times and clients have. At the minimum is below it: see `minimumVerdict`. */
async function totalsOf(db: Database, month: Month): Promise<MonthTotals> {
  const { total, words, below } = await handedIn(db, month)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('total'),
      fn.sum<number | string | null>('words').as('words'),
      sql<number | string | null>`sum(case when word_minimum > 0 and words <= word_minimum
        then 1 else 0 end)`.as('below'),
    ])
    .executeTakeFirstOrThrow()
  return { total: Number(total), words: Number(words ?? 0), belowMinimum: Number(below ?? 0) }
}

type StoredRow = { client_id: string | null; receipt: string | null; last: number | null }

/** One row, all of it as its receipt says. */
function monthRows({ client_id, receipt, last }: StoredRow): MonthRow[] {
  if (receipt === null) return []
  const { article, client, by, at, words, wordMinimum, number, textHash }: Receipt =
    JSON.parse(receipt)
  return [
    {
      articleId: article.id,
      article: article.name,
      clientId: client_id,
      client,
      writer: by?.name ?? null,
      at,
      words,
      wordMinimum,
      number,
      of: last ?? number,
      fingerprint: textHash,
    },
  ]
}
