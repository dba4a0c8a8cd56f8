import type { BrowserContext, Page } from '@playwright/test'
import { addTo } from '../sync/merge/align.ts'
import { createRewritten } from '../sync/simulation/rewritten.ts'
import { isWhole, leftOf, type Part, rowsOf } from '../sync/simulation/whole-runs.ts'

/**
 * What became of each marker word in each page. Everyday words repeat, so they cannot be accounted for one by one; a
 * marker is typed once in the whole story: 'a17z' is the 17th of writer a.
 */
const MARKER = /[a-z]\d+z/g

const markerIn = (word: string): string | null => word.match(MARKER)?.[0] ?? null

export const markersIn = (blocks: readonly string[]): string[] =>
  blocks.flatMap((block) => block.match(MARKER) ?? [])

/** From the block `from` on, the blocks `removed` became the blocks `added`. */
type Delta = { from: number; removed: string[]; added: string[] }

export type Change = Delta & {
  page: string
  at: number
  /** `begin`: the page opened the text; `own`: the writer's keys; `undo`: own too; `shown`: the page showed a merge. */
  kind: 'begin' | 'own' | 'undo' | 'shown'
}

type Noted = Omit<Change, 'page' | 'at'>

export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const changes: Change[] = []
  /** The changes near each marker, with its number of occurrences before and after. */
  const near = new Map<string, Near[]>()
  const loads = new Map<string, number>()
  const blocksOf = new Map<string, string[]>()
  const rewritten = createRewritten(markerIn)
  /** As it was after so many changes. */
  let twice: { after: number; sentences: Set<string>[] } = { after: 0, sentences: [] }

  function note(tab: string, noted: Noted): void {
    const { kind, from, removed, added } = noted
    const load = (loads.get(tab) ?? 0) + (kind === 'begin' ? 1 : 0)
    loads.set(tab, load)
    const page = `${tab}.${load}`
    const before = blocksOf.get(page) ?? []
    const after = kind === 'begin' ? added : before.toSpliced(from, removed.length, ...added)
    blocksOf.set(page, after)
    if (kind === 'own' || kind === 'undo') rewritten.changed('', page, removed, added)
    const change = { ...noted, page, at: Date.now() }
    changes.push(change)
    const [had, has] = around(removed.join('\n'), added.join('\n')).map(countsIn)
    for (const marker of new Set([...(had?.keys() ?? []), ...(has?.keys() ?? [])])) {
      const counts = { had: had?.get(marker) ?? 0, has: has?.get(marker) ?? 0 }
      addTo(near, marker, { change, ...counts })
    }
  }

  /** Each change that made a page show the marker more or less often, with how often before and after. */
  function stepsOf(marker: string) {
    const counts = new Map<string, number>()
    return (near.get(marker) ?? []).flatMap(({ change, had, has }) => {
      const before = counts.get(change.page) ?? 0
      const after = before - had + has
      counts.set(change.page, after)
      return after === before ? [] : [{ ...change, before, after }]
    })
  }

  /** What the own keys of all pages left in one piece of it. */
  function partsOf(words: readonly string[], markers: readonly string[]): Part[] {
    const ends = words.map((_, at) => at + 1)
    let parts: Part[] = [{ from: 0, end: null }]
    const own = new Set(
      markers
        .flatMap((marker) => near.get(marker) ?? [])
        .flatMap(({ change, had }) => (had > 0 && change.kind !== 'shown' ? [change] : [])),
    )
    for (const change of changes.filter((one) => own.has(one))) {
      const [had, has] = [rowsOf(change.removed), rowsOf(change.added)]
      parts = parts.flatMap((part) => leftOf(part, words, ends, had, has))
    }
    return parts
  }

  /** Whether both forms of a sentence that two pages changed at one place may have these words. */
  function isRewritten(words: string): boolean {
    if (twice.after !== changes.length)
      twice = { after: changes.length, sentences: rewritten.twiceIn('') }
    const all = words.split(' ').map((word) => markerIn(word) ?? word)
    return twice.sentences.some((sentence) => all.every((word) => sentence.has(word)))
  }

  return {
    changes,
    stepsOf,
    /** Records what happens in the editors of all pages of the context. `nameOf` also names the tab of closed pages. */
    async watch(context: BrowserContext, nameOf: (page: Page) => string) {
      await context.exposeBinding('noteText', ({ page }, noted: string) =>
        note(nameOf(page), JSON.parse(noted)),
      )
      await context.addInitScript(watchEditors)
    },
    /** All markers that a page showed at any time. */
    markers: (): string[] => [...new Set(changes.flatMap(({ added }) => markersIn(added)))],
    /** How often the marker has to occur in the text at the end; the rule is in three-writers.spec.ts. */
    expected(marker: string): { least: number; most: number } {
      const own = stepsOf(marker).filter(({ kind }) => kind === 'own' || kind === 'undo')
      const copies = own.filter(
        ({ kind, before, after }) => kind === 'own' && before > 0 && after > before,
      )
      const removed = own.filter(({ before, after }) => after < before)
      const hands = new Set(removed.map(({ page }) => tabOf(page)))
      const last = own.findLast(({ page }) => hands.has(tabOf(page)))
      const stays = hands.size === 0 || (hands.size === 1 && last && last.after > last.before)
      return { least: stays ? 1 : 0, most: isRewritten(marker) ? Infinity : 1 + copies.length }
    },
    isRewritten,
    /**
     * Of a sentence that was typed in one go, what is not in one piece in the text at the end, though no writer's own keys
     * divided it there.
     */
    tornOf(run: string, blocks: readonly string[]): string[] {
      const words = run.split(' ')
      const [rows, markers] = [rowsOf(blocks), markersIn([run])]
      return partsOf(words, markers)
        .map(({ from, end }) => words.slice(from, end ?? words.length))
        .filter((part) => markersIn(part).every((marker) => isWhole(rows, [marker])))
        .filter((part) => markersIn(part).length > 0 && !isWhole(rows, part))
        .map((part) => part.join(' '))
    },
    /** Whether a writer's own keys made a page show these words in a row as often as `count`. */
    wasWritten(words: string, count: number): boolean {
      const texts = new Map<string, string[]>()
      return changes.some(({ page, kind, from, removed, added }) => {
        const before = texts.get(page) ?? []
        const after = kind === 'begin' ? added : before.toSpliced(from, removed.length, ...added)
        texts.set(page, after)
        const isOwn = kind === 'own' && added.length > 0
        return (
          isOwn &&
          countIn([wordsOf(after)], words) >= count &&
          countIn([wordsOf(before)], words) < count
        )
      })
    },
  }
}

type Near = { change: Change; had: number; has: number }

/** In characters; more than the longest sentence. */
const AROUND = 400

/** Returns the differing part of each text, with AROUND characters of context before and after it. */
function around(had: string, has: string): [string, string] {
  const shorter = Math.min(had.length, has.length)
  let [head, tail] = [0, 0]
  while (head < shorter && had[head] === has[head]) head += 1
  while (tail < shorter - head && had.at(-1 - tail) === has.at(-1 - tail)) tail += 1
  const within = (text: string) =>
    text.slice(Math.max(0, head - AROUND), text.length - tail + AROUND)
  return [within(had), within(has)]
}

function countsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const marker of markersIn([text])) counts.set(marker, (counts.get(marker) ?? 0) + 1)
  return counts
}

/** A page is named after its writer, the tab, and how often the tab was loaded: 'a1.4'. */
const tabOf = (page: string): string => page.split('.')[0] ?? page

export const wordsOf = (blocks: readonly string[]): string =>
  blocks.join(' ').split(/\s+/).join(' ')

const countIn = (blocks: readonly string[], words: string): number =>
  blocks.reduce((count, block) => count + block.split(words).length - 1, 0)

const RUN = 8

/** Rows of eight words that occur in the text more than once, with their counts. */
export function repeatedRuns(blocks: readonly string[]): Map<string, number> {
  const words = wordsOf(blocks).split(' ')
  const counts = new Map<string, number>()
  for (let at = 0; at + RUN <= words.length; at += 1) {
    const run = words.slice(at, at + RUN).join(' ')
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return new Map([...counts].filter(([, count]) => count > 1))
}

/** Runs in the page: says of every editor that appears there what it shows first, and each change of it. */
function watchEditors() {
  type Doc = { descendants(visit: (node: Block) => boolean): void }
  type Block = { isTextblock: boolean; textContent: string }
  type Told = { transaction: { getMeta(name: string): unknown } }
  type Editor = { state: { doc: Doc }; on(event: 'transaction', tell: (told: Told) => void): void }
  type Noting = { noteText(noted: string): void }

  const linesOf = (doc: Doc): string[] => {
    const lines: string[] = []
    doc.descendants((node) => {
      if (node.isTextblock) lines.push(node.textContent)
      return !node.isTextblock
    })
    return lines
  }

  /** An undo is dispatched while its key goes down. */
  let isUndo = false
  addEventListener(
    'keydown',
    ({ key, ctrlKey, metaKey }) => {
      isUndo = (ctrlKey || metaKey) && key.toLowerCase() === 'z'
    },
    true,
  )
  addEventListener(
    'keyup',
    () => {
      isUndo = false
    },
    true,
  )

  let watched: Editor | null = null
  setInterval(() => {
    const text = document.querySelector<Element & { editor?: Editor }>('.ProseMirror')
    const editor = text?.editor
    if (!editor || editor === watched) return
    watched = editor
    const { noteText } = window as unknown as Noting
    let doc = editor.state.doc
    let lines = linesOf(doc)
    noteText(JSON.stringify({ kind: 'begin', from: 0, removed: [], added: lines }))
    document.documentElement.dataset.watched = 'yes'
    editor.on('transaction', ({ transaction }) => {
      if (editor.state.doc === doc) return
      doc = editor.state.doc
      const [before, after] = [lines, linesOf(doc)]
      lines = after
      const shorter = Math.min(before.length, after.length)
      let from = 0
      while (from < shorter && before[from] === after[from]) from += 1
      let same = 0
      while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1
      const isShown = transaction.getMeta('preventUpdate') === true
      const own = isUndo ? 'undo' : 'own'
      const removed = before.slice(from, before.length - same)
      const added = after.slice(from, after.length - same)
      const kind = isShown ? 'shown' : own
      if (removed.length + added.length > 0)
        noteText(JSON.stringify({ kind, from, removed, added }))
    })
  }, 10)
}
