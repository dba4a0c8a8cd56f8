import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { runCount } from '../scripts/test-depth.ts'
import { createRandom, type Random } from '../sync/simulation/random.ts'
import { ADMIN, type Agency, COLLEAGUE, WRITER } from './agency.ts'
import { createClipboard, createHands, type Hands } from './busy-hands.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { test } from './story.ts'
import { createLedger, type Ledger, markersIn, repeatedRuns } from './word-ledger.ts'
import { articleText, bringSession, stored } from './writer.ts'

/**
 * Three writers in one article, each behind a failing connection: they type, split and join paragraphs, make lists, cut
 * and paste, undo, delete, reload, close and open the page, sometimes in two tabs. They also type everyday sentences at
 * the same place, with pauses in them. Then every word and every such sentence is accounted for.
 *
 * The rule, which is the contract of sync/merge/merge3.ts over a whole session:
 * - All pages show one text at the end, the server has it, and each page says Saved.
 * - A marker word that no writer's keys removed is in it exactly once.
 * - So is one that the keys of a single tab removed and put back last: a paragraph that was moved, an undo that was
 *   redone.
 * - A marker that was removed otherwise is in it once or not at all: a merge may restore what one side deleted while
 *   the other wrote in it, or moved it.
 * - More than once only where a writer's own paste added it while the page already showed it. Undo is no such excuse.
 * - A sentence that was typed in one go is in it word for word, or what the keys of a writer left of it in one piece.
 * - What two pages changed at one place of a sentence may be there in both forms.
 * - Each row of eight everyday words occurs as often as some writer's own keys made it.
 *
 * WRITERS_SEED=7 is another run. What a failed run did is in writers.json of its output folder.
 */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const SEED = Number(process.env.WRITERS_SEED ?? 1)
const MINUTES = runCount('WRITERS_MINUTES')
const PARAGRAPHS = 14
/** Until all requests in flight have finished over restored connections. */
const CALM_MS = 120_000

type Line = {
  network: FaultProxy
  /** Runs `task` while the connection works. */
  calm<T>(task: () => Promise<T>): Promise<T>
  heal(): void
}

type Writer = {
  name: string
  context: BrowserContext
  line: Line
  hands: Hands
  random: Random
  /** The tabs, by name. */
  pages: Map<string, Page>
}

const WEIGHTS = {
  write: 40,
  say: 20,
  newParagraph: 8,
  split: 8,
  join: 7,
  list: 5,
  heading: 2,
  move: 10,
  undo: 7,
  deleteWords: 8,
  deleteParagraph: 3,
  rest: 6,
  reload: 3,
  reopen: 2,
  otherTab: 3,
}

type Weights = typeof WEIGHTS

/** Sentences, with what happens to a page in between. */
const SAYING: Weights = {
  ...(Object.fromEntries(Object.keys(WEIGHTS).map((action) => [action, 0])) as Weights),
  say: 40,
  newParagraph: 4,
  undo: 2,
  deleteWords: 2,
  rest: 6,
  reload: 3,
  reopen: 2,
}

/** They restructure a long text, or begin one and go on at its end. */
function stories() {
  return [
    { name: 'restructure one article', text: longText(), weights: WEIGHTS },
    { name: 'begin one article and go on at its end', text: {}, weights: SAYING },
  ]
}

for (const { name, text, weights } of stories())
  test(
    `three writers ${name} over failing connections for ${MINUTES} minutes (seed ${SEED}): no word is lost or duplicated, no sentence torn`,
    { tag: ['@SY-11', '@fault-60'] },
    async ({ agency, browser }, info) => {
      test.setTimeout(MINUTES * 60_000 + CALM_MS * 2)
      const random = createRandom(SEED)
      const ledger = createLedger()
      setText(agency, text)
      const holdClipboard = createClipboard()
      const people = peopleOf(random)
      const writers = await Promise.all(
        ['a', 'b', 'c'].map(async (name, at) => {
          const source = random.branch(name)
          const hands = createHands(name, source, holdClipboard)
          const line = await unsteadyLine(agency, source.branch('line'))
          return begin({
            agency,
            browser,
            ledger,
            email: people[at] ?? ADMIN,
            name,
            hands,
            line,
            random: source,
          })
        }),
      )
      const end = Date.now() + MINUTES * 60_000
      await Promise.all(writers.map((writer) => work(writer, agency, end, weights)))
      for (const { line } of writers) line.heal()
      await Promise.all(writers.flatMap(closeOthers))
      const blocks = await agreed(agency, writers).finally(() => keep())
      const faults = faultsIn(blocks, ledger, writers)
      function keep() {
        writeFileSync(
          info.outputPath('writers.json'),
          JSON.stringify(recordOf(agency, ledger, writers)),
        )
      }
      for (const { context, line } of writers) {
        await context.close()
        await line.network.close()
      }
      const steps = ledger.changes.filter(({ kind }) => kind === 'shown').length
      process.stdout.write(
        `seed ${SEED}: ${writers.map(({ hands }) => hands.typed.length).join(' + ')} markers typed, ${ledger.changes.length} changes, ${steps} merges shown\n`,
      )
      if (faults.length > 0) process.stdout.write(`${explain(faults, agency, ledger, writers)}\n`)
      expect(faults).toEqual([])
    },
  )

/** Three users, or two on three devices. */
const peopleOf = (random: Random): string[] =>
  random.pick([
    [WRITER.email, COLLEAGUE.email, ADMIN],
    [WRITER.email, COLLEAGUE.email, WRITER.email],
    [WRITER.email, WRITER.email, ADMIN],
  ])

function setText(agency: Agency, text: object): void {
  const { id } = stored(agency, ARTICLE)
  const json = JSON.stringify(text)
  agency.change('update articles set article_text = ? where id = ?', json, id)
  agency.change('update article_revisions set article_text = ? where article_id = ?', json, id)
}

function longText(): object {
  let marker = 0
  const sentence = () =>
    `o${marker++}z the light of the garden o${marker++}z is to be low and o${marker++}z warm at the gate.`
  const content = Array.from({ length: PARAGRAPHS }, (_, at) =>
    at % 5 === 0
      ? {
          type: 'heading',
          attrs: { level: 2 },
          content: [{ type: 'text', text: `The path o${marker++}z` }],
        }
      : { type: 'paragraph', content: [{ type: 'text', text: `${sentence()} ${sentence()}` }] },
  )
  return { type: 'doc', content }
}

async function begin(given: {
  agency: Agency
  browser: Browser
  ledger: Ledger
  email: string
  name: string
  hands: Hands
  line: Line
  random: Random
}): Promise<Writer> {
  const { agency, browser, ledger, email, name, hands, line, random } = given
  const context = await browser.newContext()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const writer: Writer = { name, context, line, hands, random, pages: new Map() }
  const names = new WeakMap<Page, string>()
  await ledger.watch(context, (page) => {
    const tab = [...writer.pages].find(([, open]) => open === page)?.[0]
    if (tab) names.set(page, `${name}${tab}`)
    return names.get(page) ?? name
  })
  const page = await context.newPage()
  await line.calm(() => bringSession(page, line.network.url, agency, email))
  writer.pages.set('1', page)
  await load(writer, page, agency)
  return writer
}

async function load(writer: Writer, page: Page, agency: Agency): Promise<void> {
  await writer.line.calm(async () => {
    await page.goto(`${writer.line.network.url}/client/article/${stored(agency, ARTICLE).id}`)
    const isShown = page.locator('html[data-watched]').waitFor({ timeout: CALM_MS })
    await isShown.catch(async () => {
      throw new Error(
        `The page has no editor and displays: ${await page.locator('body').innerText()}`,
      )
    })
    await articleText(page).click()
  })
}

async function work(writer: Writer, agency: Agency, end: number, weights: Weights): Promise<void> {
  const { random, hands } = writer
  while (Date.now() < end) {
    const action = random.weighted(weights)
    const tab = random.pick([...writer.pages.keys()] as [string, ...string[]])
    const page = writer.pages.get(tab)
    if (!page) throw new Error('A writer has a page')
    if (action === 'reload') await load(writer, page, agency)
    else if (action === 'reopen') await reopen(writer, tab, agency)
    else if (action === 'otherTab') await changeTabs(writer, agency)
    else await hands.actions[action](page)
  }
}

async function reopen(writer: Writer, tab: string, agency: Agency): Promise<void> {
  await writer.pages.get(tab)?.close({ runBeforeUnload: writer.random.chance(0.5) })
  const page = await writer.context.newPage()
  writer.pages.set(tab, page)
  await load(writer, page, agency)
}

async function changeTabs(writer: Writer, agency: Agency): Promise<void> {
  const second = writer.pages.get('2')
  writer.pages.delete('2')
  if (second) return second.close()
  const page = await writer.context.newPage()
  writer.pages.set('2', page)
  await load(writer, page, agency)
}

const closeOthers = ({ pages }: Writer) =>
  [...pages].filter(([tab]) => tab !== '1').map(([, page]) => page.close())

/** What all pages show and the server has. */
async function agreed(agency: Agency, writers: readonly Writer[]): Promise<string[]> {
  const shown = () =>
    Promise.all(
      writers.map(async ({ pages }) => {
        const page = pages.get('1')
        const state = await page?.locator('[role=status][data-state]').getAttribute('data-state')
        return { state, text: page ? (await linesOf(page)).join('\n') : null }
      }),
    )
  await expect
    .poll(
      async () => {
        const text = linesOfStored(stored(agency, ARTICLE).text).join('\n')
        return (await shown()).map((page) => page.state === 'saved' && page.text === text)
      },
      { timeout: CALM_MS },
    )
    .toEqual([true, true, true])
  return linesOfStored(stored(agency, ARTICLE).text)
}

const linesOf = async (page: Page): Promise<string[]> =>
  linesOfStored(
    (
      await articleText(page)
        .locator('p, h1, h2, h3, h4, h5, h6')
        .evaluateAll((blocks) => blocks.map(({ textContent }) => textContent ?? ''))
    ).join('\n'),
  )

/** Without empty lines. */
const linesOfStored = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

type Fault = {
  what: 'lost' | 'doubled' | 'torn' | 'torn run' | 'repeated'
  words: string
  count: number
}

function faultsIn(blocks: string[], ledger: Ledger, writers: readonly Writer[]): Fault[] {
  const found = markersIn(blocks)
  const known = new Set(ledger.markers())
  const counts = new Map<string, number>()
  for (const marker of found) counts.set(marker, (counts.get(marker) ?? 0) + 1)
  const ofMarkers = [...known].flatMap((words): Fault[] => {
    const count = counts.get(words) ?? 0
    const { least, most } = ledger.expected(words)
    if (count < least) return [{ what: 'lost', words, count }]
    return count > most ? [{ what: 'doubled', words, count }] : []
  })
  const torn = writers
    .flatMap(({ hands }) => hands.typed)
    .filter((words) => !known.has(words))
    .map((words): Fault => ({ what: 'torn', words, count: 0 }))
  const runs = [...repeatedRuns(blocks)]
    .filter(([words, count]) => !ledger.wasWritten(words, count) && !ledger.isRewritten(words))
    .map(([words, count]): Fault => ({ what: 'repeated', words, count }))
  const tornRuns = writers
    .flatMap(({ hands }) => hands.runs)
    .flatMap((run) => ledger.tornOf(run, blocks))
    .map((words): Fault => ({ what: 'torn run', words, count: 0 }))
  return [...ofMarkers, ...torn, ...tornRuns, ...runs]
}

/** Faults of the connection, one after another until it is restored. */
async function unsteadyLine(agency: Agency, random: Random): Promise<Line> {
  const network = await startFaultProxy(agency.port)
  let isHealed = false
  let calls = 0
  const isCalm = () => isHealed || calls > 0
  const beWell = () => {
    network.setDown(false)
    network.forgive()
  }
  const trouble = async () => {
    while (!isHealed) {
      await pause(random.between(100, 1_500))
      if (isCalm()) continue
      const kind = random.weighted({
        down: 4,
        'lose-request': 12,
        'lose-answer': 18,
        'cut-answer': 10,
        duplicate: 12,
        delay: 14,
        none: 30,
      })
      if (kind === 'none') continue
      if (kind === 'down') {
        network.setDown(true)
        await pause(random.between(500, 8_000))
        network.setDown(false)
      } else if (kind === 'delay') {
        network.inject(/ \/v1\/articles/, { kind, ms: random.between(200, 5_000) })
      } else network.inject(/ \/v1\/articles/, { kind })
    }
  }
  void trouble()
  return {
    network,
    async calm(task) {
      calls += 1
      beWell()
      try {
        return await task()
      } finally {
        calls -= 1
      }
    },
    heal() {
      isHealed = true
      beWell()
    },
  }
}

function recordOf(agency: Agency, ledger: Ledger, writers: readonly Writer[]) {
  return {
    seed: SEED,
    revisions: agency.revisions(stored(agency, ARTICLE).id),
    changes: ledger.changes,
    exchanges: writers.flatMap(({ name, line }) =>
      line.network.exchanges
        .filter(({ path }) => path.startsWith('/v1/articles'))
        .map((exchange) => ({ writer: name, ...exchange })),
    ),
  }
}

/** Where the words of the first faults are in each revision, and the change of a page that caused it. */
function explain(
  faults: Fault[],
  agency: Agency,
  ledger: Ledger,
  writers: readonly Writer[],
): string {
  const revisions = agency.revisions(stored(agency, ARTICLE).id)
  const sends = writers.flatMap(({ name, line }) =>
    line.network.exchanges.map((exchange) => ({ name, ...exchange })),
  )
  return faults
    .slice(0, 12)
    .map(({ what, words, count }) => {
      let before = -1
      const places = revisions.flatMap(({ textVersion, text, reason, key }) => {
        const lines = linesOfStored(text)
        const now = lines.join(' ').split(words).length - 1
        if (now === before) return []
        before = now
        const send = sends.find(({ headers }) => headers['idempotency-key'] === key)
        const at = lines.flatMap((line, place) => (line.includes(words) ? [place] : []))
        return [
          `  revision ${textVersion} (${reason}, by ${send?.name ?? '?'} on ${send?.headers['if-match'] ?? '?'}): ${now} in blocks ${at.join()}`,
        ]
      })
      const steps = ledger
        .stepsOf(words)
        .map(
          (step) =>
            `  ${step.at} ${step.page} ${step.kind}: ${step.before} to ${step.after}, block ${step.from}`,
        )
      return [`${what} ${words} (${count})`, ...places, ...steps.slice(0, 40)].join('\n')
    })
    .join('\n')
}
