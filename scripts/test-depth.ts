/**
 * How often the tests repeat what depends on chance. TEST_DEPTH is `quick` (`npm test`), `all` (`npm run test:all`, and a
 * runner that is started directly) or `long` (`npm run test:long`). A variable with the name of a number overrides it.
 */
const RUNS = {
  /** Random schedules of the simulation. */
  SIMULATION_SCHEDULES: { quick: 4, all: 100, long: 100_000 },
  /** In each of its wilder worlds. */
  SIMULATION_WILD: { quick: 1, all: 12, long: 240 },
  /** Over PostgreSQL, whose responses take real time. */
  SIMULATION_POSTGRES_SCHEDULES: { quick: 1, all: 5, long: 200 },
  /** Number of PostgreSQL replicas, 0 or 1. With one, every API test reads from it. */
  REPLICAS: { quick: 0, all: 0, long: 1 },
  /** Random orders of the statements of two and of three transactions, for each rule. */
  INTERLEAVINGS: { quick: 1, all: 8, long: 10_000 },
  /** 1 runs two transactions of a rule in every possible order (hundreds for each rule) instead of random ones. */
  EVERY_ORDER: { quick: 0, all: 0, long: 1 },
  /** Random merges in each of four worlds. */
  MERGE_TRIPLES: { quick: 200, all: 1_000, long: 100_000 },
  /** Random histories of a text with notes. */
  NOTE_HISTORIES: { quick: 40, all: 400, long: 100_000 },
  /** Random histories of versions. */
  PRUNING_HISTORIES: { quick: 8, all: 100, long: 20_000 },
  /** Random histories of a text, and the record of how each was written. */
  WRITING_RECORDS: { quick: 10, all: 200, long: 10_000 },
  /** Versions of the article whose record of writing is made in a browser. */
  RECORDED_VERSIONS: { quick: 50, all: 500, long: 5_000 },
  /** Random sittings of two hours of writing. */
  WRITING_SITTINGS: { quick: 1, all: 10, long: 10 },
  /** Random documents with keywords, in each of five scripts. */
  LENS_DOCUMENTS: { quick: 80, all: 200, long: 2_000 },
  /** Random spreadsheets of articles, each run as a list and by single calls. */
  ARTICLE_LISTS: { quick: 10, all: 100, long: 10_000 },
  /** Random articles whose standing is compared with the scorecard, and random histories of several. */
  STANDING_ARTICLES: { quick: 40, all: 500, long: 10_000 },
  STANDING_HISTORIES: { quick: 1, all: 10, long: 500 },
  /** Hand-ins that programs page through while articles are completed. */
  HAND_OVERS: { quick: 100, all: 2_000, long: 100_000 },
  /** Random histories of an article that is handed in. */
  HAND_IN_HISTORIES: { quick: 1, all: 10, long: 500 },
  /** Random histories of articles that users are mailed about. */
  MAIL_HISTORIES: { quick: 1, all: 10, long: 10_000 },
  /** Number of rounds in which two admins remove each other's role, for each way to do it. */
  ADMIN_DUELS: { quick: 10, all: 100, long: 100 },
  /** Random calls of the API. */
  FUZZ_REQUESTS: { quick: 200, all: 3_000, long: 100_000 },
  /** Random sessions that are refreshed over failing lines. */
  SIMULATED_SESSIONS: { quick: 8, all: 100, long: 10_000 },
  /** Kills of the browser, in a short and in a long text. */
  BROWSER_KILLS: { quick: 0, all: 3, long: 200 },
  SERVER_KILLS: { quick: 0, all: 10, long: 500 },
  /** Pages that are left just after a key. */
  LEAVINGS: { quick: 0, all: 5, long: 500 },
  /** Minutes of three writers in one article. */
  WRITERS_MINUTES: { quick: 0, all: 0.2, long: 10 },
} as const

export type Depth = 'quick' | 'all' | 'long'

const DEPTHS: readonly string[] = ['quick', 'all', 'long'] satisfies Depth[]

function depthIn({ TEST_DEPTH = 'all' }: NodeJS.ProcessEnv): Depth {
  if (!DEPTHS.includes(TEST_DEPTH)) throw new Error(`TEST_DEPTH is one of ${DEPTHS.join(', ')}`)
  return TEST_DEPTH as Depth
}

export const depth: Depth = depthIn(process.env)

export const runCount = (name: keyof typeof RUNS): number =>
  Number(process.env[name] ?? RUNS[name][depth])

const SHARES = { quick: 0.05, all: 0.4, long: 1 } as const

/** Returns how often a test tries random values for which `npm run test:long` takes `count`. */
export const randomRuns = (count: number): number => Math.ceil(count * SHARES[depth])
