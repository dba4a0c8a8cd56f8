import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { requirementIds } from './scripts/requirements.mjs'
import { depth, runCount } from './scripts/test-depth.ts'
import { DEXIE } from './vite.config.ts'

/** Tests of the embedded engine itself, and those to which it makes no difference which one there is. */
const WITHOUT_POSTGRES = [
  'api/{config,server}.test.ts',
  'api/accounts/{password-pool,passwords,refresh-simulation,sign-in-load,tokens}.test.ts',
  'api/articles/precondition.test.ts',
  'api/audit/log-plan.test.ts',
  'api/progress/progress-plan.test.ts',
  'api/commands/{admin-command,doctor-command}.test.ts',
  'api/database/{database,name-search,new-id}.test.ts',
  'api/database/migrations/0*.test.ts',
  'api/database/sqlite/*.test.ts',
  'api/demo/{content,markdown}.test.ts',
  'api/events/{coalesced,event-stream}.test.ts',
  'api/hand-overs/wordpress-import.test.ts',
  'api/http/{http-listener,json-response,listing-query,read-body,static-files}.test.ts',
  'api/mail/mailer.test.ts',
  'api/openapi/*.test.ts',
  'api/operations/{backups,load,metrics,storage-faults}.test.ts',
  'api/presence/open-articles.test.ts',
  'api/process/{environment,housekeeping,output,server-output,stop}.test.ts',
  'api/testing/fuzz.test.ts',
  'api/testing/black-box/{bodies,slow-requests}.test.ts',
  'api/throttle/*.test.ts',
]

/** Each role at each route: who may do what does not depend on the engine. */
const LONG_POSTGRES = depth === 'long' ? [] : ['api/testing/permissions.test.ts']

/** A replica on the same computer has the same folders for table spaces, and costs statements of its own. */
const NO_REPLICA =
  runCount('REPLICAS') > 0
    ? ['api/database/postgres/postgres-disk.test.ts', 'api/testing/statement-budget.test.ts']
    : []

/** They replace modules, so they need a process of their own. */
const BROKEN = ['sync/merge/broken-merges.test.ts', 'sync/simulation/simulation-broken.test.ts']

/** Those that start whole processes and wait for them. */
const STARTED =
  depth === 'quick'
    ? [
        'api/server.test.ts',
        'api/accounts/sign-in-load.test.ts',
        'api/process/server-output.test.ts',
        'api/article-lists/list-kill.test.ts',
        'api/database/migrations/migration-kill.test.ts',
        'api/database/sqlite/better-sqlite3.test.ts',
        'api/hand-overs/wordpress-import.test.ts',
        'api/mail/mail-kill.test.ts',
        'api/commands/*-command.test.ts',
        'api/testing/black-box/*.test.ts',
        'scripts/{prepare,start}.test.ts',
      ]
    : []

/** SIMULATION=off leaves out the simulations, which are long. */
const WITHOUT_SIMULATION = process.env.SIMULATION === 'off' ? ['sync/simulation/**'] : []

/** Starts the longest files first, so that no core is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/sync\/(simulation|merge)\//.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  resolve: { alias: [DEXIE] },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // Stories with real processes, connections and time meet a busy machine now and then, as those in the browser do;
    // what needed a second try is named at the end of the run.
    retry: process.env.CI ? 1 : 0,
    // The default leaves one core free, which on two cores is every second one.
    maxWorkers: '100%',
    // A process for each file would import the same modules again, which took longer than all tests of web/.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: 'scripts/build-server.mjs',
    tags: requirementIds().map((id) => ({ name: `@${id}` })),
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['{domain,sync,api,scripts}/**/*.test.ts'],
          exclude: ['**/postgres*.test.ts', ...BROKEN, ...STARTED, ...WITHOUT_SIMULATION],
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: { name: 'broken', include: BROKEN, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['api/**/*.test.ts', 'sync/**/postgres*.test.ts'],
          exclude: [...WITHOUT_POSTGRES, ...LONG_POSTGRES, ...NO_REPLICA],
          globalSetup: 'api/testing/test-postgres.ts',
        },
      },
    ],
  },
})
