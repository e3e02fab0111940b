import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { exposureWarning, settingWarnings } from '../../src/config/warnings.ts'
import { temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

const canBeAlone = spawnSync('unshare', ['-rn', 'true']).status === 0

/** What a start logs with these settings, in the environment or in `.env`. */
async function logOf(
  settings: NodeJS.ProcessEnv,
  file = '',
  wrapper: string[] = [],
): Promise<string[]> {
  const cwd = await temporaryDirectory()
  await writeFile(join(cwd, '.env'), file)
  const server = await spawnServer(
    { DATA_URI: cwd, INITIAL_KEY: testKey, ...settings },
    { cwd, wrapper },
  )
  onTestFinished(() => server.kill('SIGKILL'))
  await server.kill('SIGTERM')
  await expect.poll(server.errors).toContain('stopped')
  const lines = server.errors().trim().split('\n')
  return lines.map((line): string => JSON.parse(line).msg)
}

test('a start warns of settings that are none', { tags: 'deep' }, async () => {
  expect(await logOf({ PROT: '4812' }, 'DATA_DIR=x\nCOLOUR=red\nHOST=127.0.0.1\n')).toEqual([
    'DATA_DIR in .env is no setting. Did you mean DATA_URI?',
    'PROT is no setting. Did you mean PORT?',
    'stopping',
    'stopped',
  ])
})

test.skipIf(!canBeAlone)(
  'a start on all addresses says that keys travel in the clear without a proxy',
  { tags: 'deep' },
  async () => {
    // In a network of its own, where nobody else can connect.
    expect(await logOf({ HOST: '0.0.0.0' }, '', ['unshare', '-rn'])).toEqual([
      'HOST 0.0.0.0 lets other machines connect, and the server speaks plain HTTP: keys travel in the clear unless a proxy with TLS stands before it.',
      'stopping',
      'stopped',
    ])
  },
)

test.each([
  ['0.0.0.0', 1],
  ['::', 1],
  ['192.168.1.5', 1],
  ['search.example', 1],
  ['127.0.0.1', 0],
  ['127.0.1.1', 0],
  ['::1', 0],
  ['localhost', 0],
])('HOST=%s is warned of %i times', (host, times) => {
  expect(exposureWarning(host)).toHaveLength(times)
})

test.each([
  ['PROT', 'PORT'],
  ['PORTS', 'PORT'],
  ['port', 'PORT'],
  ['DATA_DIR', 'DATA_URI'],
  ['DATA_URL', 'DATA_URI'],
  ['EMBEDING_MODEL', 'EMBEDDING_MODEL'],
  ['EMBEDDINGS_MODEL', 'EMBEDDING_MODEL'],
  ['EMBEDDING_DIMENSION', 'EMBEDDING_DIMENSIONS'],
  ['OPENAI_KEY', 'OPENAI_API_KEY'],
  ['OPENAI_BASE_URI', 'OPENAI_BASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['INITAL_KEY', 'INITIAL_KEY'],
  ['REQUEST_TIME_OUT', 'REQUEST_TIMEOUT'],
  ['DURABILTY', 'DURABILITY'],
])('%s in .env is taken for a misspelling of %s', (name, meant) => {
  const told = [`${name} in .env is no setting. Did you mean ${meant}?`]
  expect(settingWarnings({ [name]: '1' }, { [name]: '1' })).toEqual(told)
})

test.each([
  ['PROT', 'PORT'],
  ['EMBEDING_MODEL', 'EMBEDDING_MODEL'],
  ['DATA_URL', 'DATA_URI'],
  ['INITAL_KEY', 'INITIAL_KEY'],
  ['REQUEST_TIMOUT', 'REQUEST_TIMEOUT'],
])('%s in the environment, of %s', (name, meant) => {
  const told = [`${name} is no setting. Did you mean ${meant}?`]
  expect(settingWarnings({ [name]: '1' }, {})).toEqual(told)
})

const ofOthers =
  'HOME PATH HOSTNAME LOGNAME PWD SHELL LANG TERM USER EDITOR OPENAI_ORG_ID OPENAI_PROJECT_ID DATABASE_URL APP_KEY DATA_DIR LOG_FILE AWS_REGION NODE_ENV MALLOC_ARENA_MAX TMPDIR KUBERNETES_PORT npm_config_port'

test.each(ofOthers.split(' '))('%s in the environment is somebody else’s', (name) => {
  expect(settingWarnings({ [name]: '1' }, {})).toEqual([])
})

test.each([
  ['DATA_URI', '${BASE}/x', 1],
  ['HOST', '$ADDRESS', 1],
  ['OPENAI_BASE_URL', 'http://$HOST:1/v1', 1],
  ['INITIAL_KEY', 'abc$', 0],
  ['OTHER', '${BASE}/x', 0],
])('%s=%s in .env is doubted %i times, for nothing is put in its place', (name, value, times) => {
  expect(settingWarnings({ [name]: value }, { [name]: value })).toHaveLength(times)
})

test.each([
  ['~', 'begins with ~'],
  ['~/data', 'begins with ~'],
  ['s3://', 'names no bucket'],
  ['az:///path', 'names no container'],
  ['gs:///', 'names no bucket'],
  ['file:///data', 'must be a directory'],
])('DATA_URI=%s stops the start: it %s', (DATA_URI, told) => {
  expect(() => readConfig({ DATA_URI })).toThrow(told)
})

test.each(['./~', 'a~b', '/data/~x', '~x'])('DATA_URI=%s is a directory', (DATA_URI) => {
  expect(readConfig({ DATA_URI }).dataUri).toMatch(/^\//)
})

const own = { CHAT_API_KEY: 'sk-chat' }
const other = 'https://chat.example/v1'

test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
  ['CHAT_BASE_URL is unset', {}, 'sk-embedding'],
  ['CHAT_BASE_URL is set to nothing', { CHAT_BASE_URL: '' }, 'sk-embedding'],
  ['it is of the same origin', { CHAT_BASE_URL: 'https://api.openai.com/v2' }, 'sk-embedding'],
  [
    'it is of the origin of OPENAI_BASE_URL',
    { CHAT_BASE_URL: 'http://127.0.0.1:8000/chat', OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' },
    'sk-embedding',
  ],
  ['it is another provider’s', { CHAT_BASE_URL: other }, undefined],
  ['it is of another port', { CHAT_BASE_URL: 'https://api.openai.com:8443/v1' }, undefined],
  ['it is of another protocol', { CHAT_BASE_URL: 'http://api.openai.com/v1' }, undefined],
  [
    'OPENAI_BASE_URL is another',
    { CHAT_BASE_URL: 'https://api.openai.com/v1', OPENAI_BASE_URL: other },
    undefined,
  ],
  ['it is another provider’s, with its key', { CHAT_BASE_URL: other, ...own }, 'sk-chat'],
  ['there is CHAT_API_KEY alone', own, 'sk-chat'],
])('the key that the chat provider is sent where %s', (_, settings, key) => {
  const env = { CHAT_MODEL: 'some', OPENAI_API_KEY: 'sk-embedding', ...settings }
  const { chat } = readConfig(env)
  expect(chat?.apiKey).toBe(key)
  expect(chat?.keyName).toBe(key === 'sk-embedding' ? 'OPENAI_API_KEY' : 'CHAT_API_KEY')
})
