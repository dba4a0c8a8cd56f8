import { type MetaKey, readMeta } from '../database/meta-rows.ts'
import type { Database } from '../deps.ts'

/** Whether mails leave, as all nodes and the doctor read it. */

const LEFT: MetaKey = 'mails_left_at'
const FAILING: MetaKey = 'mails_failing_since'

/** The mail server took a mail. */
export async function noteMailLeft(db: Database, now: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: LEFT, value: now })
    .onConflict((known) => known.column('key').doUpdateSet({ value: now }))
    .execute()
}

/** The mail server could not be reached, or took no mail at all. Keeps the first time since a mail left. */
export async function noteMailFailing(db: Database, now: string): Promise<void> {
  const leftAt = await readMeta(db, LEFT)
  await db
    .insertInto('meta')
    .values({ key: FAILING, value: now })
    .onConflict((known) =>
      known
        .column('key')
        .doUpdateSet({ value: now })
        .where('meta.value', '<=', leftAt ?? ''),
    )
    .execute()
}

/** Since when no mail left although one was tried (ISO); null while mails leave. */
export async function mailsFailingSince(db: Database): Promise<string | null> {
  const since = await readMeta(db, FAILING)
  return since !== undefined && since > ((await readMeta(db, LEFT)) ?? '') ? since : null
}

/** What the doctor reads; the same SQL for both engines. */
export const MAIL_DELIVERY = `select
  (select value from meta where key = '${LEFT}') as left_at,
  (select value from meta where key = '${FAILING}') as failing_since,
  count(case when refused_at is null then 1 end) as waiting,
  min(case when refused_at is null then created_at end) as oldest,
  count(refused_at) as refused
  from mail_outbox`

export type MailDelivery = {
  left_at: string | null
  failing_since: string | null
  waiting: number | string
  oldest: string | null
  refused: number | string
}
