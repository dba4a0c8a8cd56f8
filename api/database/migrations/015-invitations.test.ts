import { sql } from 'kysely'
import { expect, it } from 'vitest'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { mailOutbox } from './003-mail-outbox.ts'
import { refusedMails } from './006-refused-mails.ts'
import { invitations } from './015-invitations.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = { '003-mail-outbox': mailOutbox, '006-refused-mails': refusedMails }

it('keeps the mails that wait, and takes invitations', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  await sql`insert into mail_outbox values ('m1', 'reset', 'ada@reeds.example', 'c', 'e', 3, 'n', 'r')`.execute(
    db,
  )
  await migrate(db, sources, { ...before, '015-invitations': invitations })
  const waiting = { id: 'm1', kind: 'reset', recipient: 'ada@reeds.example', created_at: 'c' }
  const state = { expires_at: 'e', tries: 3, next_try_at: 'n', refused_at: 'r', sender_id: null }
  const invitation = {
    ...waiting,
    ...state,
    id: 'm2',
    kind: 'invitation',
    sender_id: 'u1',
  } as const
  await db.insertInto('mail_outbox').values(invitation).execute()
  const kept = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  expect(kept).toEqual([{ ...waiting, ...state }, invitation])
})
