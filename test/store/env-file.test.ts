import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { StartupError } from '../../src/errors/errors.ts'
import { loadEnvFile } from '../../src/config/env-file.ts'
import { root } from '../support/contract.ts'
import { checkedClient, temporaryDirectory } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

const bom = '\ufeff'
const windows = (text: string): string => text.replaceAll('\n', '\r\n')

const encodings: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text) => Buffer.from(bom + text),
  'UTF-16, little end first': (text) => Buffer.from(bom + text, 'utf16le'),
  'UTF-16, big end first': (text) => Buffer.from(bom + text, 'utf16le').swap16(),
  'UTF-8 with the line ends of Windows': (text) => Buffer.from(windows(text)),
  'UTF-8 with a byte order mark and those': (text) => Buffer.from(bom + windows(text)),
}

async function fileOf(bytes: Buffer | string): Promise<string> {
  const file = join(await temporaryDirectory(), '.env')
  await writeFile(file, bytes)
  return file
}

test('a file of settings is read from its first line to its last, in each encoding', async () => {
  const text = `DATA_URI=./kept\n# Prüfung, проверка\nLOG_LEVEL=warn\nINITIAL_KEY=a-key\n`
  const all = { DATA_URI: './kept', LOG_LEVEL: 'warn', INITIAL_KEY: 'a-key' }
  for (const [name, encode] of Object.entries(encodings)) {
    const env = {}
    expect.soft(loadEnvFile(env, await fileOf(encode(text))), name).toEqual(all)
    expect.soft(env, name).toEqual(all)
  }
})

test('the environment wins over the file, also where it holds nothing', async () => {
  const env = { INITIAL_KEY: 'own', EMBEDDING_MODEL: '' }
  loadEnvFile(env, await fileOf('INITIAL_KEY=other\nEMBEDDING_MODEL=any\nDATA_URI=kept\n'))
  expect(env).toEqual({ INITIAL_KEY: 'own', EMBEDDING_MODEL: '', DATA_URI: 'kept' })
})

test('without a file there are no settings of it', async () => {
  expect(loadEnvFile({}, join(await temporaryDirectory(), '.env'))).toEqual({})
})

test(
  'the server and the command line read .env where they are started',
  { tags: 'deep' },
  async () => {
    const cwd = await temporaryDirectory()
    const key = 'key-of-the-file-0123456789-0123456789'
    await writeFile(join(cwd, '.env'), `DATA_URI=./kept\nLOG_LEVEL=warn\nINITIAL_KEY=${key}\n`)
    const server = await spawnServer({ INITIAL_KEY: undefined, LOG_LEVEL: undefined }, { cwd })
    onTestFinished(() => server.kill('SIGKILL'))
    const { response } = await sdk.listAgents({ client: checkedClient(server.url, key) })
    expect(response?.status).toBe(200)

    await writeFile(join(cwd, '.env'), `SERVICE_URL=${server.url}\nAPI_KEY=${key}\n`)
    const command = [join(root, 'src/cli/main.ts'), 'keys', 'list']
    const { PATH, TMPDIR } = process.env
    const run = promisify(execFile)(process.execPath, command, { cwd, env: { PATH, TMPDIR } })
    expect(await run).toMatchObject({ stdout: expect.stringContaining('first key'), stderr: '' })
  },
)

test.each<[string, Buffer]>([
  ['UTF-16 without a byte order mark', Buffer.from('PORT=0\n', 'utf16le')],
  ['Latin-1', Buffer.from('# Prüfung\nPORT=0\n', 'latin1')],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x50, 0, 0, 0])],
  ['half a character of UTF-8', Buffer.from('# é').subarray(0, 3)],
])('.env in %s stops the start, which says why', async (_, bytes) => {
  const file = await fileOf(bytes)
  const told = new StartupError(`${file} is not text in UTF-8. Save it as UTF-8.`)
  expect(() => loadEnvFile({}, file)).toThrow(told)
})

test('a directory named .env stops the start, which says why', async () => {
  const folder = join(await temporaryDirectory(), '.env')
  await mkdir(folder)
  const told = new StartupError(`${folder} cannot be read: it is a directory. Mend or remove it.`)
  expect(() => loadEnvFile({}, folder)).toThrow(told)
})
