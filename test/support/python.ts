import { spawnSync } from 'node:child_process'

/** Whether Python runs here, with the HTTP client that the documents use. */
export const hasHttpx =
  spawnSync('python3', ['-c', 'import httpx'], { timeout: 60_000 }).status === 0
if (!hasHttpx && process.env.CI) throw new Error('CI needs python3-httpx; .ci/run installs it.')
