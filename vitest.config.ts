import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{domain,sync,api,web,scripts}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 60_000,
    // By itself it leaves one core free, which on two cores is every second one.
    maxWorkers: '100%',
  },
})
