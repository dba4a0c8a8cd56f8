import type { ArticleText } from '../../domain/document.ts'
import type { Tab } from './browser.ts'
import { plainParagraphsOf } from './prose.ts'
import type { World } from './schedule.ts'

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
  /** Those changes. */
  steps: string[]
}

/** Words from `from` up to `end`; null for all that follow. */
type Part = { from: number; end: number | null }

export type Runs = ReturnType<typeof createRuns>

export function createRuns() {
  const all: Run[] = []
  /** The run that each page is in the middle of. */
  const open = new Map<string, Run>()

  return {
    begin({ name, articleId }: Tab): void {
      const parts = [{ from: 0, end: null }]
      const run: Run = { articleId, tab: name, words: [], pieces: [], parts, steps: [] }
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
    changed({ articleId, name }: Tab, before: ArticleText, after: ArticleText, step: string): void {
      const [had, has] = [rowsOf(before), rowsOf(after)]
      for (const run of all) {
        if (run.articleId !== articleId) continue
        const parts = run.parts.flatMap((part) => divided(part, run, had, has))
        if (parts.length !== run.parts.length) run.steps.push(`${name} ${step}`)
        run.parts = parts
      }
    },
    of: (articleId: string): Run[] => all.filter((run) => run.articleId === articleId),
  }
}

/** The lines of a text, with a space around each word. */
const rowsOf = (text: ArticleText): string[] =>
  plainParagraphsOf(text).map((line) => ` ${line.split(/\s+/).filter(Boolean).join(' ')} `)

const isIn = (rows: readonly string[], words: readonly string[]): boolean =>
  rows.some((row) => row.includes(` ${words.join(' ')} `))

function divided(part: Part, { words, pieces }: Run, had: string[], has: string[]): Part[] {
  const last = part.end ?? words.length
  const ends = pieces.map(({ end }) => Math.min(end, last)).filter((end) => end > part.from)
  const seen = ends.findLast((end) => isIn(had, words.slice(part.from, end)))
  if (seen === undefined || isIn(has, words.slice(part.from, seen))) return [part]
  const parts: Part[] = []
  for (let from = part.from; from < seen; ) {
    let end = from + 1
    while (end < seen && isIn(has, words.slice(from, end + 1))) end += 1
    parts.push({ from, end: end === seen ? part.end : end })
    from = end
  }
  return parts
}

/**
 * Each part of a run is in the text word for word, as far as its device promised to keep it. A word that is lost is another
 * fault.
 */
export async function judgeRuns(world: World, articleId: string): Promise<void> {
  const { document, deleted } = await world.agency.head(articleId)
  if (deleted || world.hasPlainWriter) return
  const rows = rowsOf(document)
  const torn = world.runs.of(articleId).flatMap((run) =>
    promisedParts(world, run, rows)
      .filter((words) => !isIn(rows, words))
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
      return single.length > 0 && single.every((name) => isIn(rows, [name]))
    })
}
