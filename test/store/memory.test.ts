import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { memoryBounds } from '../../src/memory.ts'
import { spawnServer } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/server.ts'

const unbound = Object.fromEntries(Object.keys(memoryBounds).map((name) => [name, undefined]))

test.runIf(process.platform === 'linux').each([
  ['are set where they are not', unbound, '2'],
  ['stay as they are set', { ...unbound, MALLOC_ARENA_MAX: '7' }, '7'],
])('the bounds of its memory %s, in the process that was started', async (_, given, arenas) => {
  const settings = { DATA_URI: await temporaryDirectory(), LOG_LEVEL: 'warn' }
  const { process: server, kill } = await spawnServer({ ...settings, ...given })
  onTestFinished(() => kill('SIGKILL'))
  const environment = (await readFile(`/proc/${server.pid}/environ`, 'utf8')).split('\0')
  expect(environment).toContain(`MALLOC_ARENA_MAX=${arenas}`)
  expect(environment).toContain(
    `LANCE_DEFAULT_IO_BUFFER_SIZE=${memoryBounds.LANCE_DEFAULT_IO_BUFFER_SIZE}`,
  )
  await kill('SIGTERM')
  expect(server.exitCode).toBe(0)
})
