import { spawnSync } from 'node:child_process'

/** Debian's packages are for its own Python, which may not be the first in PATH. */
const pythons = ['python3', '/usr/bin/python3']

/** A Python with the HTTP client that the documents use; undefined if there is none. */
export const pythonWithHttpx = pythons.find(
  (python) => spawnSync(python, ['-c', 'import httpx'], { timeout: 60_000 }).status === 0,
)
if (!pythonWithHttpx && process.env.CI) {
  throw new Error('CI needs python3-httpx; .ci/run installs it.')
}
