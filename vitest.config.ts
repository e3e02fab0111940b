import { defineConfig } from 'vitest/config'

const report = process.env.VITEST_REPORT

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    ...(report && { reporters: ['default', 'json'], outputFile: { json: report } }),
  },
})
