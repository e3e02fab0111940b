import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { welcome } from '../../src/service/serve.ts'
import { root } from '../support/contract.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

const run = promisify(execFile)
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
if (!hasTerminal) console.warn('There is no script(1) here: nothing runs in a terminal.')

async function start(DATA_URI: string, settings: NodeJS.ProcessEnv = {}) {
  const server = await spawnServer({ DATA_URI, ...settings })
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

test('the call that a first start prints works as it stands', async () => {
  const { url, lines } = await start(await temporaryDirectory())
  expect(lines[0]).toBe(`Listening on ${url}`)
  const key = /^Your key, shown only this once: (\S+)$/.exec(lines[1] ?? '')?.[1] ?? ''
  const [, , call = '', documentation = ''] = welcome(url, key).split('\n')
  const { stdout } = await run('bash', ['-c', call.slice(call.indexOf('curl'))])
  expect(JSON.parse(stdout)).toMatchObject({ name: 'library', datasourceCount: 0 })
  const page = await fetch(documentation.slice(documentation.indexOf('http')))
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ])
})

test.each([
  ['http://0.0.0.0:3000', 'http://127.0.0.1:3000'],
  ['http://[::]:3000', 'http://[::1]:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://10.0.0.1:3000', 'http://10.0.0.1:3000'],
])('listening on %s, the first call goes to %s', (url, near) => {
  const [first, , call, documentation, page] = welcome(url, 'ads_initial_0').split('\n')
  expect(first).toBe(`Listening on ${url}`)
  expect(call).toContain(`curl -s ${near}/datastores `)
  expect(documentation).toBe(`Documentation: ${near}/docs`)
  expect(page).toBe(`Try it in the browser: ${near}/playground#key=ads_initial_0`)
})

test('a later start prints no key', () => {
  expect(welcome('http://127.0.0.1:3000', undefined)).toBe(
    'Listening on http://127.0.0.1:3000\nDocumentation: http://127.0.0.1:3000/docs',
  )
})

test.skipIf(!hasTerminal)(
  'in a terminal the log is lines to read, and the key is not among them',
  { tags: 'deep' },
  async () => {
    const DATA_URI = await temporaryDirectory()
    const { PATH, HOME, TMPDIR } = process.env
    const command = `${process.execPath} ${join(root, 'src/main.ts')} & until grep -q ^Documentation ${DATA_URI}/../screen; do sleep 0.1; done; kill $!; wait $!`
    const shown = await run('script', ['-qefc', command, join(DATA_URI, '../screen')], {
      cwd: DATA_URI,
      env: {
        PATH,
        HOME,
        TMPDIR,
        PORT: '0',
        DATA_URI: join(DATA_URI, 'data'),
        PROT: '1',
        SHELL: '/bin/sh',
      },
    })
    const lines = shown.stdout.split(/\r?\n/)
    expect(shown.stdout).not.toContain('{"level"')
    const key = lines.findIndex((line) => line.startsWith('Your key'))
    expect(lines[key - 1]).toMatch(/^Listening on /)
    expect(lines[key + 2]).toMatch(/^Documentation: /)
    expect(lines.find((line) => line.includes('Did you mean PORT?'))).toContain('WARN')
    expect(lines.some((line) => /INFO.*stopped/.test(line))).toBe(true)
  },
)

const another = 'another-key-of-the-tests-0123456789'

test(
  'an INITIAL_KEY that comes too late, or was revoked, is said to have no effect, and has none',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    await (await openServer({ dataUri: directory })).close()
    const { url, errors, kill } = await start(directory, { INITIAL_KEY: another })
    await expect.poll(errors).toContain('INITIAL_KEY has no effect')
    expect(errors()).not.toContain(another)
    expect((await sdk.listAgents({ client: checkedClient(url, another) })).response?.status).toBe(
      401,
    )
    const client = checkedClient(url)
    await sdk.revokeKey({ client, path: { id: 'initial' }, throwOnError: true })
    await kill('SIGTERM')
    const last = await start(directory, { INITIAL_KEY: testKey })
    await expect.poll(last.errors).toContain('INITIAL_KEY has no effect')
    await last.kill('SIGTERM')
  },
)

test('an INITIAL_KEY that is a key of the store is not spoken of', { tags: 'deep' }, async () => {
  const directory = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri: directory })
  const body = { name: 'other', scopes: ['agents:read' as const] }
  const { data } = await sdk.createKey({ client, body, throwOnError: true })
  await close()
  for (const INITIAL_KEY of [testKey, data.key]) {
    const { errors, kill } = await start(directory, { INITIAL_KEY })
    await kill('SIGTERM')
    await expect.poll(errors).toContain('stopped')
    expect(errors()).not.toContain('INITIAL_KEY')
  }
})

test.each(['src/main.ts', 'src/cli/main.ts'])(
  '%s on an older Node.js says so in one sentence',
  (file) => {
    const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } })`
    const args = ['--import', older, join(root, file)]
    // Nothing can start there.
    const env = { PATH: process.env.PATH, DATA_URI: '/dev/null' }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Node\.js 24 or later is needed, and this is 22\.18\.0\. [^\n]*\n$/)
  },
)
