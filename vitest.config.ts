import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{domain,sync,api,web,scripts}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 60_000,
  },
})
