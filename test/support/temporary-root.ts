import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** All temporary folders of tests are in one, which goes with the last of them. */
export default async function temporaryRoot(): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'agents-datastores-tests-'))
  process.env.TMPDIR = root
  // A server that stops waits two seconds for what it does to tables; on a busy machine that goes on.
  return () => rm(root, { recursive: true, force: true, maxRetries: 20 })
}
