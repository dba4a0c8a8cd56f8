import type { Database } from '../deps.ts'

/**
 * Runs `work` in a transaction. A dry run is the same transaction, rolled back at its end: what it returns is what the
 * run would return, and nothing of it stays.
 */
export async function runOrTry<T extends object>(
  db: Database,
  { isDryRun }: { isDryRun: boolean },
  work: (inside: Database) => Promise<T>,
): Promise<T> {
  const tried: T[] = []
  try {
    return await db.transaction().execute(async (inside) => {
      const outcome = await work(inside)
      if (!isDryRun) return outcome
      tried.push(outcome)
      throw new DryRunEnd()
    })
  } catch (fault) {
    const [outcome] = tried
    if (fault instanceof DryRunEnd && outcome !== undefined) return outcome
    throw fault
  }
}

/** Makes the transaction roll back. */
class DryRunEnd extends Error {}
