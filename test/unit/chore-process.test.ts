import { connect } from '@lancedb/lancedb'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ChoreProcess } from '../../src/store/chore-process.ts'
import { childrenOf } from '../bench/children.ts'
import { root } from '../support/contract.ts'
import { temporaryDirectory } from '../support/server.ts'

const merge = { kind: 'merge', olderThan: 0 } as const

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

test.runIf(process.platform === 'linux')(
  'after three processes that were lost before they did anything there is none to be had',
  async () => {
    const chores = new ChoreProcess(await endlessTable())
    onTestFinished(() => chores.close())
    const others = new Set(childrenOf(process.pid))
    for (let lost = 0; lost < 3; lost++) {
      const chore = expect(chores.run('endless', merge)).rejects.toThrow('gone')
      const child = childrenOf(process.pid).find((pid) => !others.has(pid))!
      others.add(child)
      process.kill(child, 'SIGKILL')
      await chore
    }
    expect(await chores.run('endless', merge)).toBe(false)
  },
)

test.runIf(process.platform === 'linux')(
  'in the middle of a chore it ends with who started it, whatever the chore waits for',
  async () => {
    const uri = await endlessTable()
    const child = fork(join(root, 'src/store/chore-main.ts'), [uri], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    // It answers this one, and then is at work on the other.
    child.send({ id: 1, table: 'none', chore: merge })
    await once(child, 'message')
    child.send({ id: 2, table: 'endless', chore: merge })
    child.send({ id: 3, table: 'none', chore: merge })
    await once(child, 'message')
    const ended = once(child, 'exit')
    child.disconnect()
    expect(await ended).toEqual([null, 'SIGKILL'])
  },
)
