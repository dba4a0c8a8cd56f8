import type { Tab } from './browser.ts'
import { plainParagraphsOf } from './prose.ts'
import type { World } from './schedule.ts'
import {
  type ChangedCopy,
  changedCopyOf,
  isWhole,
  leftOf,
  leftOfCopies,
  type Part,
  rowsOf,
} from './whole-runs.ts'

/**
 * What one page typed in one go: a sentence or two, in pieces between which the page may have been saved. Each piece has a
 * word that occurs once, so what the device promised to keep of it is known.
 */
export type Run = {
  articleId: string
  tab: string
  words: string[]
  pieces: { name: string; end: number }[]
  /** What must be in one piece: at first all of it, and what is left of it in one piece where a user changed it later. */
  parts: Part[]
  /** Changed copies of each part that a text contained more than once. */
  copies: Map<Part, ChangedCopy[]>
  /** Those changes. */
  steps: string[]
}

export type Runs = ReturnType<typeof createRuns>

export function createRuns() {
  const all: Run[] = []
  /** The run that each page is in the middle of. */
  const open = new Map<string, Run>()

  return {
    begin({ name, articleId }: Tab): void {
      const parts = [{ from: 0, end: null }]
      const copies: Run['copies'] = new Map()
      const run: Run = { articleId, tab: name, words: [], pieces: [], parts, copies, steps: [] }
      all.push(run)
      open.set(name, run)
    },
    /** The next piece, right behind what the page typed last; `name` is its word that occurs once. */
    typed({ name: tab }: Tab, words: readonly string[], name: string): void {
      const run = open.get(tab)
      run?.words.push(...words)
      run?.pieces.push({ name, end: run.words.length })
    },
    end: (tab: Tab): void => void open.delete(tab.name),
    /** A user changed a text: each part that was whole in it, as far as it was there, is divided where it is no more. */
    changed(tab: Tab, before: readonly string[], after: readonly string[], step: string): void {
      const [had, has] = [rowsOf(before), rowsOf(after)]
      for (const run of all) {
        if (run.articleId !== tab.articleId) continue
        const ends = run.pieces.map(({ end }) => end)
        const parts = run.parts.flatMap((part) => {
          const changed = changedCopyOf(part, run.words, ends, had, has)
          if (!changed) return leftOf(part, run.words, ends, had, has)
          const copies = [...(run.copies.get(part) ?? []), changed]
          run.copies.set(part, copies)
          return leftOfCopies(part, copies) ?? [part]
        })
        if (parts.length !== run.parts.length) run.steps.push(`${tab.name} ${step}`)
        run.parts = parts
      }
    },
    of: (articleId: string): Run[] => all.filter((run) => run.articleId === articleId),
  }
}

/**
 * Each part of a run is in the text word for word, as far as its device promised to keep it. A word that is lost is another
 * fault.
 */
export async function judgeRuns(world: World, articleId: string): Promise<void> {
  const { document, deleted } = await world.agency.head(articleId)
  if (deleted || world.hasPlainWriter) return
  const rows = rowsOf(plainParagraphsOf(document))
  const torn = world.runs.of(articleId).flatMap((run) =>
    promisedParts(world, run, rows)
      .filter((words) => !isWhole(rows, words))
      .map((words) => ({ ...run, words })),
  )
  for (const { words, tab, steps } of torn) {
    world.failures.push(`'${words.join(' ')}', typed in ${tab}, is torn`)
    for (const step of steps) world.log(`before, ${step}`)
  }
  if (torn.length > 0) for (const row of rows) world.log(`the text:${row}`)
}

/** The words of each part that the device promised to keep, where those that occur once are there. */
function promisedParts({ words: { isDurable } }: World, run: Run, rows: string[]): string[][] {
  const { words, pieces, parts } = run
  const promised = pieces.findLast(({ name }) => isDurable(name))?.end ?? 0
  return parts
    .map(({ from, end }) => words.slice(from, Math.min(end ?? promised, promised)))
    .filter((part) => {
      const single = pieces.map(({ name }) => name).filter((name) => part.includes(name))
      return single.length > 0 && single.every((name) => isWhole(rows, [name]))
    })
}
