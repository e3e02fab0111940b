import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { root } from '../support/contract.ts'
import { checkedClient, temporaryDirectory } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

const inFile = 'key-of-the-file-0123456789-0123456789'
const inEnvironment = 'key-of-the-environment-0123456789-01'

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const bom = '\ufeff'

const encodings: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(bom + text)],
  ['UTF-16, little end first', (text) => Buffer.from(bom + text, 'utf16le')],
  ['UTF-16, big end first', (text) => utf16be(bom + text)],
  ['UTF-8 with the line ends of Windows', (text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  [
    'UTF-8 with a byte order mark and those',
    (text) => Buffer.from(bom + text.replaceAll('\n', '\r\n')),
  ],
]

const statusWith = async (url: string, key: string) =>
  (await sdk.listAgents({ client: checkedClient(url, key) })).response?.status

async function start(cwd: string, settings: NodeJS.ProcessEnv = {}) {
  const server = await spawnServer(settings, { cwd })
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

describe.each(encodings)('.env in %s', (_, encode) => {
  test('is read from its first line to its last', async () => {
    const cwd = await temporaryDirectory()
    const text = `DATA_URI=./kept\n# Prüfung, проверка\nLOG_LEVEL=warn\nINITIAL_KEY=${inFile}\n`
    await writeFile(join(cwd, '.env'), encode(text))
    const server = await spawnServer({ INITIAL_KEY: undefined, LOG_LEVEL: undefined }, { cwd })
    onTestFinished(() => server.kill('SIGKILL'))
    expect(await statusWith(server.url, inFile)).toBe(200)
    expect(await readdir(join(cwd, 'kept'))).toContain('owner.lock')
  })
})

test('the environment wins over .env, also where it holds nothing', async () => {
  const cwd = await temporaryDirectory()
  const text = `INITIAL_KEY=${inFile}\nEMBEDDING_MODEL=any\nDATA_URI=${cwd}/kept\n`
  await writeFile(join(cwd, '.env'), text)
  const server = await start(cwd, { INITIAL_KEY: inEnvironment, EMBEDDING_MODEL: '' })
  expect(await statusWith(server.url, inEnvironment)).toBe(200)
  expect(await statusWith(server.url, inFile)).toBe(401)
})

test('the command line reads it, too', async () => {
  const cwd = await temporaryDirectory()
  const DATA_URI = await temporaryDirectory()
  const server = await spawnServer({ DATA_URI, INITIAL_KEY: inEnvironment })
  onTestFinished(() => server.kill('SIGKILL'))
  const text = `SERVICE_URL=${server.url}\nAPI_KEY=${inEnvironment}\n`
  await writeFile(join(cwd, '.env'), Buffer.from(bom + text, 'utf16le'))
  const run = promisify(execFile)
  const command = [join(root, 'src/cli/main.ts'), 'keys', 'list']
  const { stdout, stderr } = await run(process.execPath, command, {
    cwd,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
  })
  expect([stdout, stderr]).toEqual([expect.stringContaining('"first key"'), ''])
})

test('without a .env nothing is said of it', async () => {
  const server = await spawnServer({ DATA_URI: await temporaryDirectory() })
  await server.kill('SIGTERM')
  await expect.poll(server.errors).toContain('stopped')
  expect(server.errors()).not.toContain('.env')
})

const unreadable: [string, Buffer][] = [
  ['UTF-16 without a byte order mark', Buffer.from('PORT=0\n', 'utf16le')],
  ['Latin-1', Buffer.from('# Prüfung\nPORT=0\n', 'latin1')],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x50, 0, 0, 0])],
  ['half a character of UTF-8', Buffer.from('# é').subarray(0, 3)],
]

test.each(unreadable)('.env in %s stops the start, which says why', async (_, bytes) => {
  const cwd = await temporaryDirectory()
  await writeFile(join(cwd, '.env'), bytes)
  await expect(spawnServer({ DATA_URI: cwd }, { cwd })).rejects.toThrow(
    /^\.env is not text in UTF-8\. Save it as UTF-8\.\n$/,
  )
  expect(await readdir(cwd)).toEqual(['.env'])
})

test('a directory named .env stops the start, which says why', async () => {
  const cwd = await temporaryDirectory()
  await mkdir(join(cwd, '.env'))
  await expect(spawnServer({ DATA_URI: cwd }, { cwd })).rejects.toThrow(
    /^\.env cannot be read: it is a directory\. Mend or remove it\.\n$/,
  )
})
