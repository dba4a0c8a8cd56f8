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
  /** What a user did to it later: then it need not be in one piece any more. */
  steps: string[]
}

export type Runs = ReturnType<typeof createRuns>

export function createRuns() {
  const all: Run[] = []
  /** The run that each page is in the middle of. */
  const open = new Map<string, Run>()

  return {
    begin({ name, articleId }: Tab): void {
      const run: Run = { articleId, tab: name, words: [], pieces: [], steps: [] }
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
    /** A user changed a text: names the step in each run, or beginning of one, that was whole in it and is no more. */
    changed({ articleId, name }: Tab, before: ArticleText, after: ArticleText, step: string): void {
      const [had, has] = [rowsOf(before), rowsOf(after)]
      for (const run of all) {
        if (run.articleId !== articleId) continue
        const isTorn = run.pieces.some(({ end }) => {
          const words = run.words.slice(0, end)
          return isIn(had, words) && !isIn(has, words)
        })
        if (isTorn) run.steps.push(`${name} ${step}`)
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

/**
 * Each run is in the text word for word, as far as its device promised to keep it, unless a user changed it. A word of it
 * that is lost is another fault.
 */
export async function judgeRuns(world: World, articleId: string): Promise<void> {
  const { document, deleted } = await world.agency.head(articleId)
  if (deleted || world.hasPlainWriter) return
  const rows = rowsOf(document)
  let isTorn = false
  for (const { tab, words, pieces, steps } of world.runs.of(articleId)) {
    const lost = pieces.findIndex(({ name }) => !world.words.isDurable(name))
    const promised = lost < 0 ? pieces : pieces.slice(0, lost)
    const end = promised.at(-1)?.end ?? 0
    const isThere = promised.every(({ name }) => isIn(rows, [name]))
    const kept = words.slice(0, end)
    if (end === 0 || !isThere || isIn(rows, kept)) continue
    for (const step of steps) world.log(`'${kept.join(' ')}' was changed: ${step}`)
    if (steps.length > 0) continue
    world.failures.push(`'${kept.join(' ')}', typed in ${tab}, is torn`)
    isTorn = true
  }
  if (isTorn) for (const line of plainParagraphsOf(document)) world.log(`the text: ${line}`)
}
