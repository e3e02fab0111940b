import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { memoryBounds } from '../../src/process/runtime-settings.ts'
import { root } from '../support/contract.ts'
import { spawnServer } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/server.ts'

const run = promisify(execFile)

const others = Object.entries(memoryBounds).filter(([name]) => name !== 'MALLOC_ARENA_MAX')

test.runIf(process.platform === 'linux').each([
  ['are set where they are not', {}, [], '1'],
  ['are set where they are empty', { MALLOC_ARENA_MAX: '' }, [], '1'],
  ['stay as they are set', { MALLOC_ARENA_MAX: '7' }, [], '7'],
  ['are set beside a file of settings', {}, ['--env-file', join(root, '.env.example')], '1'],
])(
  'the bounds of its memory %s, in the process that was started',
  { tags: 'deep' },
  async (_, given, options, arenas) => {
    const settings = { DATA_URI: await temporaryDirectory(), LOG_LEVEL: 'warn', ...given }
    const spawned = await spawnServer(settings, { hasChannel: false, nodeOptions: options })
    const { process: server, kill } = spawned
    onTestFinished(() => kill('SIGKILL'))
    const environment = (await readFile(`/proc/${server.pid}/environ`, 'utf8')).split('\0')
    expect(environment).toContain(`MALLOC_ARENA_MAX=${arenas}`)
    for (const [name, value] of others) {
      expect(environment).toContain(`${name}=${value}`)
    }
    await kill('SIGTERM')
    expect(server.exitCode).toBe(0)
  },
)

test('a process with a channel to its parent keeps it', { tags: 'deep' }, async () => {
  const settings = { DATA_URI: await temporaryDirectory(), LOG_LEVEL: 'warn' }
  const { process: server, kill } = await spawnServer({ ...settings, MALLOC_ARENA_MAX: '' })
  onTestFinished(() => kill('SIGKILL'))
  expect(server.connected).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'a process begins again with the bounds of its memory, once',
  async () => {
    const script = `import { readFileSync } from 'node:fs'
      import { restartWithMemoryBounds } from '${join(root, 'src/process/runtime-settings.ts')}'
      restartWithMemoryBounds(process.env)
      console.log(readFileSync('/proc/self/environ', 'utf8').replaceAll('\\0', '\\n'))`
    const options = ['--input-type=module', '--eval', script]
    // It ends one that begins again for ever.
    const { stdout } = await run(process.execPath, options, { env: {}, timeout: 30_000 })
    const begunWith = Object.entries(memoryBounds).map(([name, value]) => `${name}=${value}`)
    expect(stdout.trim().split('\n')).toEqual(begunWith)
  },
)
