import type { Bus, Clock, Locks } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { Pull } from './pull.ts'

export type OpenArticles = ReturnType<typeof createOpenArticles>

export type OpenArticlesOptions = {
  database: LocalDatabase
  userId: string
  /** Null when signed out. */
  signedInUser: () => string | null
  pull: Pick<Pull, 'refresh'>
  /** Ids of the articles that are open in this tab. */
  articleIds: () => string[]
}

/**
 * Refreshes open articles that the listing does not contain: admins can open any article. Each tab fetches its own after
 * change notifications may have been missed.
 */
export function createOpenArticles(
  { clock, bus, locks }: { clock: Clock; bus: Bus; locks: Locks },
  { database, userId, signedInUser, pull, articleIds }: OpenArticlesOptions,
) {
  /** Articles fetched before that time may be stale; null if none is. */
  let missedUntil: number | null = null
  let isWorking = false

  /** Returns false when an article could not be fetched. */
  async function refreshAll(until: number): Promise<boolean> {
    for (const id of articleIds()) {
      if (signedInUser() !== userId) return true
      const row = await database.articles.get(id)
      if (!row || row.listed === 1 || row.access !== 'ok' || row.seenAt >= until) continue
      if (!(await pull.refresh(id))) return false
    }
    return true
  }

  async function work(): Promise<void> {
    const until = missedUntil
    if (isWorking || until === null) return
    isWorking = true
    // The lock lets one tab fetch an article that several tabs have open.
    const refresh = () => refreshAll(until)
    const isDone = await locks.hold(`open-articles:${userId}`, refresh).catch(() => false)
    isWorking = false
    if (isDone && missedUntil === until) missedUntil = null
    else if (isDone) await work()
  }

  function note(until: number): void {
    missedUntil = Math.max(until, missedUntil ?? 0)
    void work()
  }

  return {
    /** Handles the message of another tab that missed notifications. */
    note,
    /** Notifies the other tabs, and refreshes the open articles of this tab. */
    missed() {
      const until = clock.now()
      bus.post({ kind: 'missed', until })
      note(until)
    },
    /** Retries after a failed refresh. */
    tryAgain: () => void work(),
  }
}
