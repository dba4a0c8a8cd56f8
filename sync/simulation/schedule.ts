import { TEST_START } from '../../api/testing/test-app.ts'
import { actions, type Weights } from './actions.ts'
import { type Agency, createAgency } from './agency.ts'
import { breakCore } from './breakable.ts'
import { type Breakage, type Browser, createBrowser } from './browser.ts'
import { createCompletionOrder } from './completion-order.ts'
import { drain } from './drain.ts'
import { anyTab, browserOf } from './hands.ts'
import { createMiddlebox } from './middlebox.ts'
import { createLine } from './network.ts'
import { judgeNews, judgeStreams } from './news.ts'
import { judgeRecords, meetNote, type Notes } from './notes.ts'
import { bringPeopleBack, judgePrivacy } from './people.ts'
import { createRandom, type Random } from './random.ts'
import { meetRestore } from './restores.ts'
import { createRewritten, type Rewritten } from './rewritten.ts'
import { createRuns, type Runs } from './runs.ts'
import { meetSentences, type Sentences } from './sentences.ts'
import type { Settler } from './settle.ts'
import { createStreams } from './streams.ts'
import { createTimeline, type Timeline } from './timeline.ts'
import { meetTrouble } from './troubles.ts'
import { type Variety, varietiesOf, vary } from './variety.ts'
import { judge, judgeMemory, judgeView, keptWords } from './verdict.ts'
import { createWords, nameIn, type Words } from './words.ts'

/** The state of one schedule. All randomness is from `random`, all time from `timeline`. */
export type World = {
  seed: number
  random: Random
  timeline: Timeline
  settler: Settler
  agency: Agency
  browsers: [Browser, ...Browser[]]
  words: Words
  /** Additional events of some schedules; the chance of one after each step. */
  troubles: { source: Random; chance: number }
  /** The same for a server that is restored from a backup. */
  restores: { source: Random; chance: number }
  /** The same for notes, with those that were written. */
  notes: Notes
  /** Sentences that are typed in addition; the chance of some after each step. */
  sentences: Sentences
  runs: Runs
  rewritten: Rewritten
  /** The parts of variety.ts that are added to the steps; empty by default. */
  varieties: readonly Variety[]
  /** Where texts are everyday prose, the chance of its words; null where every word occurs once. */
  prose: Random | null
  /** Whether a user changed more of a text than its words. */
  isRestructured: boolean
  /** Whether a client without our headers writes too: then a word may leave the head for a revision. */
  hasPlainWriter: boolean
  failures: string[]
  /** Words that are in a text twice without an event that excuses it. */
  doubled: string[]
  log: (line: string) => void
  /** Lets `ms` of virtual time pass, with all that is due in it. */
  pass(ms: number): Promise<void>
}

export type Outcome = {
  seed: number
  failures: string[]
  doubled: string[]
  log: string[]
  /** How many were typed. */
  words: number
}

export async function runSchedule(
  seed: number,
  settler: Settler,
  breakage: Breakage = {},
): Promise<Outcome> {
  breakCore(breakage.core ?? {})
  const log: string[] = []
  const world = await createWorld(seed, settler, breakage, log)
  const failures = world.failures
  await disturb(world)
  const staysDeleted = world.random.chance(0.3)
  let isQuiet = await drain(world, staysDeleted)
  const keptByOthers = await keptWords(world)
  if (await bringPeopleBack(world)) isQuiet = (await drain(world, staysDeleted)) && isQuiet
  if (!isQuiet) failures.push('nothing disturbs any more, and yet it does not come to rest')
  await judge(world, keptByOthers)
  if (breakage.hasNotes) await judgeRecords(world)
  if (world.varieties.includes('news')) await judgeNews(world)
  await close(world)
  const { doubled, words } = world
  return { seed, failures: [...new Set(failures)], doubled, log, words: words.count() }
}

async function createWorld(
  seed: number,
  settler: Settler,
  breakage: Breakage,
  lines: string[],
): Promise<World> {
  const random = createRandom(seed)
  const timeline = createTimeline(TEST_START)
  const log = (line: string) => {
    lines.push(`${((timeline.now() - TEST_START) / 1000).toFixed(3)} ${line}`)
  }
  const troubles = random.branch('troubles')
  const isTroubled = troubles.chance(0.4) && breakage.hasTroubles === true
  const restores = random.branch('restores')
  // With an engine that responds in real time a stream would pause the clock for as long as it is open.
  const isTimely = breakage.engine === undefined
  const isRestored = restores.chance(0.5) && breakage.hasRestores === true && isTimely
  const notes = random.branch('notes')
  const sentences = random.branch('sentences')
  const prose = breakage.hasEverydayProse ? random.branch('prose') : null
  const varieties = [
    ...(breakage.hasVariety ? varietiesOf(random.branch('variety')) : []),
    ...(prose ? (['prose'] as const) : []),
    ...(breakage.hasLinks ? (['links'] as const) : []),
  ].filter((one) => isTimely || one !== 'news')
  const articles = random.between(1, 2)
  const agency = await createAgency(timeline, settler, articles, log, breakage.engine)
  const failures: string[] = []
  const words = createWords()
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`

  async function browserOf(place: number): Promise<Browser> {
    const name = `laptop${place + 1}`
    const person = agency.writers[place === 1 ? 1 : 0]
    const completions = createCompletionOrder(agency, words.isWanted, (fault) =>
      failures.push(fault),
    )
    const box = breakage.hasMiddlebox
      ? createMiddlebox(timeline, random.branch(`middlebox of ${name}`), place === 0)
      : null
    if (box) log(`between ${name} and the server something ${box.name}`)
    const tell = (line: string) => log(`  ${name} ${line}`)
    const line = createLine(timeline, completions, random.branch(`line of ${name}`), tell, box)
    const ofStreams = { line, agency, random: random.branch(`streams of ${name}`) }
    return createBrowser({
      name,
      timeline,
      log,
      newId,
      breakage,
      databaseName: `${seed} ${name}`,
      random: random.branch(name),
      completions,
      line,
      streams: varieties.includes('news') ? createStreams(timeline, ofStreams) : null,
      person,
      session: await agency.signIn(person),
      rude: (fault) => {
        if (!breakage.isUncoordinated) failures.push(fault)
      },
      fault: (error) => failures.push(`an error that nobody caught: ${error}`),
    })
  }

  const browsers: World['browsers'] = [await browserOf(0)]
  for (let place = 1; place <= random.between(1, 2); place++) browsers.push(await browserOf(place))
  return {
    seed,
    random,
    timeline,
    settler,
    agency,
    browsers,
    words,
    troubles: { source: troubles, chance: isTroubled ? 0.2 : 0 },
    restores: { source: restores, chance: isRestored ? 0.25 : 0 },
    notes: { source: notes, chance: breakage.hasNotes ? 0.3 : 0, written: [] },
    sentences: {
      source: sentences,
      chance: breakage.hasSentences ? sentences.pick([0.3, 0.6]) : 0,
      left: new Map(),
    },
    runs: createRuns(),
    rewritten: createRewritten(nameIn),
    varieties,
    prose,
    isRestructured: false,
    // One that replaces a text with links by an earlier one without is refused.
    hasPlainWriter: random.chance(0.15) && breakage.hasLinks !== true,
    failures,
    doubled: [],
    log,
    async pass(ms) {
      await settler.settle()
      await timeline.runUntil(timeline.now() + ms, settler.settle)
    },
  }
}

/** The part with the faults: some tabs are open, then actions follow one after the other. */
async function disturb(world: World): Promise<void> {
  const { random } = world
  for (const browser of world.browsers) {
    await browser.openTab(random.pick(world.agency.articles as [string, ...string[]]))
  }
  await world.pass(random.between(0, 3_000))
  for (const browser of world.browsers)
    if (random.chance(0.5)) actions.changeWeather(world, browser)
  const steps = random.between(6, 24)
  const weights = random.pick(temperaments)
  for (let step = 0; step < steps; step++) {
    const name = random.weighted(weights)
    await actions[name](world)
    await world.pass(pauseOf(random))
    meetTrouble(world)
    await meetRestore(world)
    meetNote(world)
    await meetSentences(world)
    await vary(world)
    ageWords(world)
    const tab = anyTab(world)
    if (tab) await judgeView(world, tab, browserOf(world, tab))
    if (tab?.text && world.varieties.includes('people')) await judgePrivacy(world, tab)
    await judgeMemory(world)
    judgeStreams(world)
  }
}

/** Shortest and longest, in milliseconds. The long ones are expensive: every tab polls in them. */
const pauseWeights = { instant: 5, keystroke: 5, autosave: 5, thought: 4, interruption: 2 }
const pauses: Record<keyof typeof pauseWeights, [number, number]> = {
  instant: [0, 99],
  keystroke: [50, 400],
  autosave: [300, 1_500],
  thought: [1_000, 5_000],
  interruption: [5_000, 40_000],
}

function pauseOf(random: Random): number {
  const [shortest, longest] = pauses[random.weighted(pauseWeights)]
  return random.between(shortest, longest)
}

const calm: Weights = {
  type: 60,
  deleteBlock: 3,
  compose: 3,
  flush: 3,
  openTab: 4,
  hideAndClose: 3,
  leave: 2,
  crashTab: 3,
  crashWhileWriting: 3,
  crashBrowser: 1,
  freeze: 2,
  thaw: 3,
  changeWeather: 8,
  stopServer: 2,
  startServer: 4,
  jumpClock: 1,
  wake: 3,
  complete: 2,
  withdraw: 1,
  reopen: 4,
  rename: 2,
  writePlainly: 1,
  completeAsAdmin: 1,
  revoke: 1,
  restoreAccess: 2,
  deleteArticle: 1,
  bringBack: 2,
  signOutEverywhere: 1,
  signIn: 3,
  freezeWhileSending: 1,
}
/** Schedules differ in their frequent actions, so that rare ones also occur in clusters. */
const temperaments: [Weights, ...Weights[]] = [
  calm,
  { ...calm, changeWeather: 20, wake: 8 },
  { ...calm, crashTab: 12, crashWhileWriting: 12, openTab: 16, hideAndClose: 8 },
  { ...calm, openTab: 20, freeze: 8, thaw: 8, deleteBlock: 8 },
  { ...calm, complete: 8, reopen: 8, withdraw: 4, rename: 5 },
  { ...calm, jumpClock: 15, changeWeather: 15, flush: 10 },
  { ...calm, openTab: 8, freezeWhileSending: 6, thaw: 8 },
  { ...calm, revoke: 6, restoreAccess: 6, deleteArticle: 4, bringBack: 6, signOutEverywhere: 4 },
  { ...calm, stopServer: 8, startServer: 8, jumpClock: 5, crashBrowser: 4 },
]

/** Marks words that were in a live page for so long as durable, while the disk accepts writes. */
export function ageWords({ browsers, words, timeline }: World): void {
  for (const { tabs, disk } of browsers) {
    for (const tab of tabs) {
      const since = Math.max(tab.awakeSince, disk.trustedSince())
      if (tab.page.isRunning()) words.age(tab.name, since, timeline.now())
    }
  }
}

async function close(world: World): Promise<void> {
  for (const browser of world.browsers) browser.end()
  await world.settler.settle()
  await world.agency.close()
}
