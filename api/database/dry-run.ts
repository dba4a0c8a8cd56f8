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
  try {
    return await db.transaction().execute(async (inside) => {
      const outcome = await work(inside)
      if (!isDryRun) return outcome
      throw new DryRunEnd(outcome)
    })
  } catch (fault) {
    if (fault instanceof DryRunEnd) return fault.outcome as T
    throw fault
  }
}

/** Makes the transaction roll back. */
class DryRunEnd extends Error {
  readonly outcome: object

  constructor(outcome: object) {
    super('Dry run')
    this.outcome = outcome
  }
}
