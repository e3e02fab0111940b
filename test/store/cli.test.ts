import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { CreatedKey, Key } from '../../generated/types.gen.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/contract.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { serviceCommand as cli } from '../support/service-command.ts'

async function start(dataUri: string) {
  const server = await openServer({ dataUri })
  onTestFinished(server.close)
  return server
}

const create = [
  'keys',
  'create',
  '--name',
  'made',
  '--scopes',
  'agents:read,agents:write',
  '--json',
]
const workspaceAnn = ['--workspace', 'ann', '--expires', '2099-01-01T00:00:00Z']

test('on a store without a server: make, list and revoke, and the key works on the server', async () => {
  const store = { DATA_URI: await temporaryDirectory() }
  const made: CreatedKey = JSON.parse((await cli(store, ...create, ...workspaceAnn)).stdout)
  expect(made).toMatchObject({
    name: 'made',
    workspace: 'ann',
    scopes: ['agents:read', 'agents:write'],
  })

  const server = await start(store.DATA_URI)
  const list = () => sdk.listAgents({ client: checkedClient(server.url, made.key) })
  expect((await list()).response?.status).toBe(200)
  // There was a key, so that the server took none for the first.
  expect((await sdk.listAgents({ client: server.client })).response?.status).toBe(401)
  await server.close()

  const revoked = await cli(store, 'keys', 'revoke', made.id)
  expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('revoked 20')])
  const keys: Key[] = JSON.parse((await cli(store, 'keys', 'list', '--json')).stdout)
  expect(keys.map(({ id, revokedAt }) => [id, revokedAt !== null])).toEqual([[made.id, true]])
})

test('with a server: by its API, with the rights of API_KEY', async () => {
  const server = await start(await temporaryDirectory())
  const settings = { SERVICE_URL: server.url, API_KEY: testKey, DATA_URI: '/dev/null/unused' }
  const made: CreatedKey = JSON.parse((await cli(settings, ...create)).stdout)
  const text = await cli(settings, 'keys', 'list')
  expect(text.stdout.split('\n')[0]).toMatch(/^initial\tdefault\t"first key"/)
  expect(text.stdout).toContain(made.id)
  expect(text.stdout).not.toContain(made.key)

  const forbidden = await cli({ ...settings, API_KEY: made.key }, 'keys', 'list')
  expect([forbidden.code, forbidden.stderr]).toEqual([1, expect.stringContaining('keys:admin')])
  const unknown = await cli(settings, 'keys', 'revoke', 'unknown')
  expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no key unknown.\n'])
  const past = await cli(settings, ...create, '--expires', '2020-01-01T00:00:00Z')
  expect([past.code, past.stderr]).toEqual([1, expect.stringContaining('--expires must be')])
  const keyless = await cli({ SERVICE_URL: server.url }, 'keys', 'list')
  expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining('API_KEY')])
})

test('a server that is named and does not run, or is another, is not made up for', async () => {
  const DATA_URI = await temporaryDirectory()
  const silent = await cli({ DATA_URI, SERVICE_URL: 'http://127.0.0.1:1' }, 'keys', 'list')
  expect([silent.code, silent.stderr]).toEqual([1, 'No server answers at http://127.0.0.1:1.\n'])

  const seen: (string | undefined)[] = []
  const other = createServer(({ headers }, response) => {
    seen.push(headers.authorization)
    response.setHeader('content-type', 'application/json').end('{"status":"ok","data":[]}')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const SERVICE_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code, stderr } = await cli({ SERVICE_URL, API_KEY: testKey }, 'keys', 'list')
  other.close()
  expect([code, stderr]).toEqual([1, expect.stringContaining('is another service')])
  expect(seen).toEqual([undefined])
})

test('on a store without a server the contract holds, too', { tags: 'deep' }, async () => {
  const store = { DATA_URI: await temporaryDirectory() }
  const refused = async (...args: string[]) => {
    const { code, stderr } = await cli(store, ...create, ...args)
    return [code, stderr]
  }
  expect(await refused('--workspace', 'Bad WS!')).toEqual([
    1,
    expect.stringContaining('--workspace must be'),
  ])
  expect(await refused('--name', 'x'.repeat(257))).toEqual([1, expect.stringContaining('/name')])
  expect(await refused('--expires', '2027')).toEqual([
    1,
    expect.stringContaining('--expires must be'),
  ])
  expect((await cli(store, 'keys', 'list')).stdout).toBe('\n')
})

test.each(['help', '--help', '-h', 'keys --help', 'help keys'])(
  '%s prints the usage, exit 0',
  async (words) => {
    const { code, stdout, stderr } = await cli(
      { DATA_URI: '/dev/null/unused' },
      ...words.split(' '),
    )
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('Usage:'), ''])
  },
)

test.each(['--version', '-v', 'version'])('%s prints the version, exit 0', async (arg) => {
  const { code, stdout, stderr } = await cli({ DATA_URI: '/dev/null/unused' }, arg)
  expect([code, stdout, stderr]).toEqual([0, `${packageJson.version}\n`, ''])
})

test(
  'as a process it takes its words and settings from where it is started',
  { tags: 'deep' },
  async () => {
    const cwd = await temporaryDirectory()
    const env = { PATH: process.env.PATH, PORT: '1', DATA_URI: join(cwd, 'data') }
    const run = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'src/cli/main.ts'), ...words], { env, cwd })
    expect((await run('keys', 'list', '--json')).stdout).toBe('[]\n')
    const missing = { code: 1, stdout: '', stderr: expect.stringContaining('There is no store') }
    env.DATA_URI = join(cwd, 'missing')
    await expect(run('store', 'check')).rejects.toMatchObject(missing)
  },
)

test('a store that a server has is not opened behind its back', async () => {
  const directory = await temporaryDirectory()
  await start(directory)
  for (const args of [['keys', 'list'], create, ['keys', 'revoke', 'initial']]) {
    const { code, stderr } = await cli({ DATA_URI: directory }, ...args)
    const told = `Another server is running on ${directory}: set SERVICE_URL to its address and API_KEY to a key of it.\n`
    expect([code, stderr]).toEqual([1, told])
  }
})

test.each([
  ['nothing', []],
  ['another noun', ['shelves', 'list']],
  ['no id', ['keys', 'revoke']],
  ['no scopes', ['keys', 'create', '--name', 'x']],
  ['an unknown scope', ['keys', 'create', '--name', 'x', '--scopes', 'all']],
  ['an unknown option', ['keys', 'list', '--verbose']],
  ['a question with -v in it', ['ask', 'library', 'what', 'does', '-v', 'do']],
])('%s is a mistake in the command, exit 2', async (_, args) => {
  const { code, stdout, stderr } = await cli({ DATA_URI: '/dev/null/unused' }, ...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^(error|Usage):/)
})
