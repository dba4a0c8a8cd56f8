/**
 * How often the tests repeat what depends on chance. TEST_DEPTH is `fast` (`npm run test:fast`), `usual` (`npm test`,
 * and a runner that is started directly) or `full` (`npm run test:long`). A variable with the name of a number
 * overrides it.
 */
const RUNS = {
  /** Random schedules of the simulation. */
  SIMULATION_SCHEDULES: { fast: 20, usual: 300, full: 100_000 },
  /** In each of its wilder worlds. */
  SIMULATION_WILD: { fast: 4, usual: 40, full: 240 },
  /** Over PostgreSQL, whose responses take real time. */
  SIMULATION_POSTGRES_SCHEDULES: { fast: 1, usual: 5, full: 200 },
  /** Number of PostgreSQL replicas, 0 or 1. With one, every API test reads from it. */
  REPLICAS: { fast: 0, usual: 0, full: 1 },
  /** Random orders of the statements of two and of three transactions, for each rule. */
  INTERLEAVINGS: { fast: 1, usual: 8, full: 10_000 },
  /** 1 runs two transactions of a rule in every possible order (hundreds for each rule) instead of random ones. */
  EVERY_ORDER: { fast: 0, usual: 0, full: 1 },
  /** Random merges in each of four worlds. */
  MERGE_TRIPLES: { fast: 200, usual: 1_500, full: 100_000 },
  /** Random histories of versions. */
  PRUNING_HISTORIES: { fast: 50, usual: 200, full: 20_000 },
  /** Random documents with keywords, in each of five scripts. */
  LENS_DOCUMENTS: { fast: 120, usual: 200, full: 2_000 },
  /** Random spreadsheets of articles, each run as a list and by single calls. */
  ARTICLE_LISTS: { fast: 50, usual: 250, full: 10_000 },
  /** Random articles whose standing is compared with the scorecard, and random histories of several. */
  STANDING_ARTICLES: { fast: 100, usual: 500, full: 10_000 },
  STANDING_HISTORIES: { fast: 3, usual: 10, full: 500 },
  /** Random calls of the API. */
  FUZZ_REQUESTS: { fast: 1_000, usual: 4_000, full: 100_000 },
  /** Random sessions that are refreshed over failing lines. */
  SIMULATED_SESSIONS: { fast: 20, usual: 100, full: 10_000 },
  /** Kills of the browser, in a short and in a long text. */
  BROWSER_KILLS: { fast: 0, usual: 3, full: 200 },
  SERVER_KILLS: { fast: 0, usual: 10, full: 500 },
  /** Pages that are left just after a key. */
  LEAVINGS: { fast: 0, usual: 5, full: 500 },
  /** Minutes of three writers in one article. */
  WRITERS_MINUTES: { fast: 0, usual: 0.2, full: 10 },
} as const

export type Depth = 'fast' | 'usual' | 'full'

const DEPTHS: readonly string[] = ['fast', 'usual', 'full'] satisfies Depth[]

function depthIn({ TEST_DEPTH = 'usual' }: NodeJS.ProcessEnv): Depth {
  if (!DEPTHS.includes(TEST_DEPTH)) throw new Error(`TEST_DEPTH is one of ${DEPTHS.join(', ')}`)
  return TEST_DEPTH as Depth
}

export const depth: Depth = depthIn(process.env)

export const runCount = (name: keyof typeof RUNS): number =>
  Number(process.env[name] ?? RUNS[name][depth])
