import { connect } from '@lancedb/lancedb'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../../../../src/store/table/jobs.ts'
import { childrenOf } from '../../../support/children.ts'
import { root } from '../../../support/contract.ts'
import { temporaryDirectory } from '../../../support/server.ts'

const job = { kind: 'compact', olderThan: 0 } as const

/** Where a table is whose newest version nobody finishes reading: a pipe that nothing is written to. */
async function endlessTable(): Promise<string> {
  const uri = await temporaryDirectory()
  const connection = await connect(uri)
  await connection.createTable('endless', [{ id: 1 }])
  const versions = join(uri, 'endless.lance/_versions')
  for (const name of await readdir(versions)) {
    await rm(join(versions, name))
    execFileSync('mkfifo', [join(versions, name)])
  }
  return uri
}

test('a job that fails in its process is told with its reason', async () => {
  const uri = await temporaryDirectory()
  const order = { uri, table: 'none', job, after: 0 }
  await expect(runInProcess(order, new AbortController().signal)).rejects.toThrow('none')
})

test.runIf(process.platform === 'linux')(
  'a job whose process is killed is told as not done, and so is one that is broken off',
  async () => {
    const order = { uri: await endlessTable(), table: 'endless', job, after: 0 }
    const others = new Set(childrenOf(process.pid))
    const killed = expect(runInProcess(order, new AbortController().signal)).rejects.toThrow(
      'ended',
    )
    process.kill(
      childrenOf(process.pid).find((pid) => !others.has(pid))!,
      'SIGKILL',
    )
    await killed
    const breaking = new AbortController()
    const broken = expect(runInProcess(order, breaking.signal)).rejects.toThrow()
    breaking.abort()
    await broken
  },
)

test.runIf(process.platform === 'linux')(
  'in the middle of a job a process ends with who started it, whatever the job waits for',
  { tags: 'deep' },
  async () => {
    const uri = await endlessTable()
    const scratch = await temporaryDirectory()
    const file = join(root, 'src/store/table/job-main.ts')
    const child = fork(file, [scratch], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const sent = Promise.withResolvers<void>()
    child.send({ uri, table: 'endless', job }, () => sent.resolve())
    await sent.promise
    // LanceDB makes a folder for its session once the job has begun.
    await expect.poll(() => readdir(scratch)).not.toHaveLength(0)
    const ended = once(child, 'exit')
    child.disconnect()
    expect(await ended).toEqual([null, 'SIGKILL'])
  },
)
