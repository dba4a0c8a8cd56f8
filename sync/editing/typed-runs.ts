/** So many are kept, and of more the first, which the server may have the beginning of, and the last ones. */
const RUNS_MAX = 64

const kept = (runs: readonly string[]): readonly string[] =>
  runs.length > RUNS_MAX ? [...runs.slice(0, 1), ...runs.slice(1 - RUNS_MAX)] : runs

/** The runs of two tabs, one's own last; of one that both have, what was typed further. */
export function unitedRuns(own: readonly string[] = [], others: readonly string[] = []) {
  const isBegun = (run: string, by: readonly string[]) => by.some((one) => one.startsWith(run))
  const rest = others.filter((run) => !isBegun(run, own))
  return kept([...rest, ...own.filter((run) => !isBegun(run, rest))])
}

/**
 * Returns `runs` with the current run of the user. It replaces the last one if it extends it, or equals it without its last
 * word; otherwise it is added. Limitation: a last run of one word is also replaced by a new run that is a prefix of it.
 */
export function runsAfter(runs: readonly string[], run: string): readonly string[] {
  const last = runs.at(-1) ?? ''
  if (run === '' || run === last) return runs
  const isShorter = last.startsWith(run) && LAST_WORD.test(last.slice(run.length))
  const isSame = isShorter || run.startsWith(last)
  return kept([...(isSame ? runs.slice(0, -1) : runs), run])
}

const LAST_WORD = /^\s*\S*\s*$/
