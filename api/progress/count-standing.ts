import { lockOf, write } from '../database/locks.ts'
import type { ArticleStandingRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { listChanges } from '../events/change-rows.ts'
import { giveWay } from '../process/give-way.ts'
import { articlesAfter, countArticle, staleArticles, writeStandings } from './standing-rows.ts'
import {
  type CountingState,
  endTurn,
  moveSweep,
  readCountingState,
  type Sweep,
  setCounted,
  setSweep,
  takeTurn,
} from './standing-turn.ts'

/** How often a server looks whether something changed: a change is counted about this much later. */
export const STANDING_INTERVAL_MS = 2_000
/** A run ends after this time, so that counting many articles leaves most of the processor to requests. */
const RUN_MS = 1_000
/** Articles of one transaction. */
const SLICE = 20
/** Number of articles that a sweep compares in one batch. Most of them are unchanged. */
const COMPARED = 200

const LOCK = lockOf.job('standing')

type CountDeps = Pick<Deps, 'db' | 'clock' | 'isDraining'>
type Run = CountDeps & { isOver(): boolean }

/**
 * Returns a job that counts the standing of the articles that changed, with requests served between one and the next.
 * Each run begins where the last one of any node ended, and what it repeats after a crash changes nothing. An article
 * that changes while it is counted is counted by the next run.
 */
export function createStandingCount(deps: CountDeps): () => Promise<void> {
  const { db, clock, isDraining } = deps
  return async () => {
    if (isAllCounted(await readCountingState(db))) return
    if (!(await takeTurn(db, clock.now()))) return
    const end = clock.monotonic() + RUN_MS
    const run = { ...deps, isOver: () => isDraining() || clock.monotonic() >= end }
    await countChanged(run)
    await sweepOn(run)
    await endTurn(db)
  }
}

const isAllCounted = ({ changed, counted, sweep }: CountingState): boolean =>
  changed === counted && sweep === null

/** Counts what the kept changes name. Where some are not kept any more, every article has to be compared. */
async function countChanged(run: Run): Promise<void> {
  const { db, clock } = run
  const { changed, counted } = await readCountingState(db)
  if (changed === counted) return
  const changes = await listChanges(db, counted)
  if (changes[0]?.seq !== counted + 1) return beginSweep(db, changed, clock.now())
  const changedIds = [...new Set(changes.flatMap(({ article_id }) => article_id ?? []))]
  const ids = await staleArticles(db, changedIds)
  if (!(await countAll(run, ids))) return
  await setCounted(db, changes.at(-1)?.seq ?? counted)
}

function beginSweep(db: Database, seq: number, now: number): Promise<void> {
  return write(db, [LOCK], async (inside) => {
    await setCounted(inside, seq)
    await setSweep(inside, { since: new Date(now).toISOString(), after: '' })
  })
}

/** Changes are counted at the beginning of each run, so those that are made during a sweep do not wait for its end. */
async function sweepOn(run: Run): Promise<void> {
  let { sweep } = await readCountingState(run.db)
  while (sweep !== null && !run.isOver()) {
    const ids = await articlesAfter(run.db, sweep.after, COMPARED)
    if (!(await countAll(run, await staleArticles(run.db, ids)))) return
    const after = ids.at(-1)
    const next: Sweep | null = after === undefined ? null : { ...sweep, after }
    if (!(await moveSweep(run.db, sweep, next))) return
    sweep = next
    await giveWay()
  }
}

/** Returns false if the run ends before all articles are counted. */
async function countAll(run: Run, ids: readonly string[]): Promise<boolean> {
  for (let at = 0; at < ids.length; at += SLICE) {
    if (run.isOver()) return false
    await countSlice(run, ids.slice(at, at + SLICE))
  }
  return true
}

async function countSlice({ db, clock }: Run, ids: readonly string[]): Promise<void> {
  const counted: ArticleStandingRow[] = []
  for (const id of ids) {
    const row = await countArticle(db, id, new Date(clock.now()).toISOString())
    if (row !== undefined) counted.push(row)
    await giveWay()
  }
  if (counted.length === 0) return
  await write(db, [LOCK], (inside) => writeStandings(inside, counted))
}
