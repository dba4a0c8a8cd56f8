import { defineConfig } from 'vitest/config'

/** Tests of the embedded engine itself, and those that no database has a part in. */
const WITHOUT_POSTGRES = [
  'api/{config,mailer,new-id,read-body,server,static-files,stop}.test.ts',
  'api/accounts/{password-pool,passwords,tokens}.test.ts',
  'api/database/{database,group-commit,name-search,prepared,sqlite-check}.test.ts',
  'api/database/migrations/*.test.ts',
  'api/demo/content.test.ts',
  'api/operations/{backups,doctor-command,load,storage-faults}.test.ts',
  'api/{admin-command,housekeeping}.test.ts',
]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    teardownTimeout: 60_000,
    // By itself it leaves one core free, which on two cores is every second one.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['{domain,sync,api,web,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/postgres*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['api/**/*.test.ts'],
          exclude: WITHOUT_POSTGRES,
          globalSetup: 'api/test-postgres.ts',
        },
      },
    ],
  },
})
