import type { Hint } from '../../domain/wire/news.ts'
import type { Clock } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { entriesOf } from '../store/queue.ts'
import { transact } from '../store/transaction.ts'
import { untilLost } from '../store/with-retry.ts'
import type { Pull } from './pull.ts'
import type { Pulling } from './pulling.ts'
import type { Timers } from './timers.ts'

type ArticleHint = Extract<Hint, { articleId: string }>

export type NotificationOptions = {
  clock: Clock
  database: LocalDatabase
  pull: Pull
  timers: Timers
  pulling: Pulling
  /** The local database could not be read to check whether a fetch is needed. */
  unreadable: () => void
  /** A listing is fetched in place of notified articles. It may not contain them. */
  missed: () => void
}

/** More than this at once are replaced by one listing. */
const MANY = 5
/** The notification of a change from this device often arrives before its response is settled. */
const OWN_CHANGE_MS = 500
const OWN_CHANGE_TRIES = 10

/** Fetches what the notifications say has changed, one after the other, and nothing that is here already. */
export function createNotificationReader(options: NotificationOptions) {
  const { clock, database, pull, pulling, timers } = options
  /** The last notification for each article; under '' the one for the lists. */
  const waiting = new Map<string, Hint>()
  let working = false

  async function work(): Promise<void> {
    if (working) return
    working = true
    try {
      while (waiting.size > 0) await untilLost(clock, database, workOnce)
    } catch {
      options.unreadable()
    } finally {
      working = false
    }
  }

  async function workOnce(): Promise<void> {
    const notifications = [...waiting.values()]
    const [next] = notifications
    if (waiting.has('') || notifications.length > MANY) {
      waiting.clear()
      if (notifications.some((one) => 'articleId' in one)) options.missed()
      return pulling.upTo(Math.max(...notifications.map(({ seq }) => seq)))
    }
    if (next === undefined || !('articleId' in next)) return
    waiting.delete(next.articleId)
    await look(next)
  }

  async function look(hint: ArticleHint, tries = 0): Promise<void> {
    const { articleId, version, notes, plan = 0 } = hint
    const { known, isSending } = await presentState(database, articleId)
    // It may be a new article of this user or, for an admin, of any user.
    if (known === undefined) return pulling.soon()
    const isNoted = notes === undefined || notes === known.notes
    const isPlanned = (known.plan?.counter ?? 0) >= plan
    if (known.version >= version && isNoted && isPlanned) return
    if (isSending && tries < OWN_CHANGE_TRIES) {
      return timers.later(OWN_CHANGE_MS, () => {
        const again = () => look(hint, tries + 1)
        void untilLost(clock, database, again).catch(options.unreadable)
      })
    }
    if (await pull.refresh(articleId)) return
    pulling.fetchFailed()
    options.missed()
  }

  return {
    note(notification: Hint) {
      waiting.set('articleId' in notification ? notification.articleId : '', notification)
      void work()
    },
    /** True while a notified change is not fetched yet. */
    isBusy: () => working,
  }
}

/** Read in one transaction: a response that is settled between two reads would be in neither. */
function presentState(database: LocalDatabase, articleId: string) {
  return transact(database, 'r', ['articles', 'outbox'], async (tables) => ({
    known: await tables.articles.get(articleId),
    isSending: (await entriesOf(tables, articleId)).some(({ state }) => state === 'inflight'),
  }))
}
