import { defineConfig } from 'vitest/config'
import { lanceLog, useCompileCache } from './src/process/runtime-settings.ts'

const report = process.env.VITEST_REPORT
// Workers take it over, and what they start.
useCompileCache(process.env)

export default defineConfig({
  test: {
    include: ['{bench,test}/**/*.test.ts'],
    globalSetup: 'test/support/temporary-root.ts',
    setupFiles: 'test/support/set-up.ts',
    // Files share no state, and loading the service anew for each takes a third of the time.
    isolate: false,
    env: lanceLog,
    tags: [
      { name: 'deep', description: 'Takes seconds. `npm test` leaves it to `npm run deep:tests`.' },
    ],
    // Tests wait for processes and disks, so two processors serve three workers.
    maxWorkers: 3,
    // They only end what hangs, for machines may be slow; where time matters a test says so itself.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/support/slowest-files.ts', ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
  },
})
