import { dayIn } from '../../domain/calendar/due-date.ts'
import { hourOfDay } from '../../domain/calendar/morning.ts'
import { lockOf, write } from '../database/locks.ts'
import type { Database, Deps } from '../deps.ts'
import { MORNING_HOUR } from './morning-mail.ts'
import { type MorningReader, readersWithoutMorning } from './morning-rows.ts'
import { insertMail } from './outbox-rows.ts'

const HOUR = 60 * 60 * 1_000
/** A server that was away at the hour still sends the mails for this long. */
const MORNING_MS = 8 * HOUR
/** Users of one transaction. */
const SLICE = 100

const LOCK = lockOf.job('morning')

type MorningDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'isDraining'>

/**
 * Queues the mails of this morning, one for each user and day of the agency. Each is written when it is sent. Without a
 * mail server there are none.
 */
export async function queueMorningMails(deps: MorningDeps): Promise<void> {
  const { db, clock, config, isDraining } = deps
  if (config.smtpUrl === null) return
  const now = clock.now()
  const day = dayIn(config.timeZone, now)
  const start = hourOfDay(config.timeZone, day, MORNING_HOUR)
  if (now < start || now >= start + MORNING_MS) return
  const asked = { day, start: iso(start), limit: SLICE }
  while (!isDraining()) {
    // Read without the lock first: nearly always there is nothing to do.
    if ((await readersWithoutMorning(db, asked)).length === 0) return
    await write(db, [LOCK], async (inside) => {
      for (const reader of await readersWithoutMorning(inside, asked)) {
        await inside.insertInto('morning_mails').values({ user_id: reader.id, day }).execute()
        if (reader.choice !== 'none') await queueMorning(deps, inside, reader, start)
      }
    })
  }
}

async function queueMorning(
  { clock, newId }: MorningDeps,
  db: Database,
  reader: MorningReader,
  start: number,
): Promise<void> {
  await insertMail(db, {
    id: newId(),
    kind: 'morning',
    recipient: reader.email,
    created_at: iso(clock.now()),
    expires_at: iso(start + MORNING_MS),
    user_id: reader.id,
  })
}

const iso = (time: number) => new Date(time).toISOString()
