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
  /** Those in front of the user in this tab. */
  articleIds: () => string[]
}

/**
 * The lists have the articles of a writer. An admin may have any article open: after a time without notifications each tab
 * fetches its own of those that are in no list.
 */
export function createOpenArticles(
  { clock, bus, locks }: { clock: Clock; bus: Bus; locks: Locks },
  { database, userId, signedInUser, pull, articleIds }: OpenArticlesOptions,
) {
  /** What the server changed until then may be missing; null when nothing is. */
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
    // Of several tabs with one article, the first fetches it.
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
    /** Another tab noticed that it missed changes. */
    note,
    /** Changes were not notified until now. */
    missed() {
      const until = clock.now()
      bus.post({ kind: 'missed', until })
      note(until)
    },
    /** Fetches what could not be fetched before. */
    tryAgain: () => void work(),
  }
}
