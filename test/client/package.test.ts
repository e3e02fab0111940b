import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { AgentsDatastores } from '../../client/src/index.ts'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { root } from '../support/contract.ts'
import { installPacked, type Packed, peerTool } from '../support/packed-package.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'

/** The client as strangers get it: packed, and installed into an empty project. */

const run = promisify(execFile)
const name = 'agents-datastores-client'

const tool = (file: string, ...args: string[]) => peerTool(packed.project, file, ...args)

const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
const programs = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, text = '']) => text)
const [printed = ''] = Array.from(
  readme.matchAll(/^```text\n(.*?)^```$/gms),
  ([, text = '']) => text,
)

const wrong = `import { AgentsDatastores, type ProblemCode, ProblemError } from '${name}'
const client = new AgentsDatastores()
// @ts-expect-error -- a wrong field
await client.queryDatastore('dst_1', { query: 'library', topk: 1 })
// @ts-expect-error -- a field of the wrong type
await client.upsertDocuments('dst_1', { documents: [{ text: 1 }] })
// @ts-expect-error -- a text, which is no file
await client.uploadFile('dst_1', { file: 'hours.md' })
// @ts-expect-error -- a header that the operation does not take
await client.getAgent('agt_1', { headers: { 'If-Match': '*' } })
export const isNewer = (error: ProblemError) => error.code === 'teapot'
// @ts-expect-error -- a newer server has more codes
export const known = (error: ProblemError): ProblemCode => error.code
`
/** What both forms of modules do, each with its own build and with types of that. */
const both = `import { AgentsDatastores, ConnectionError, ProblemError } from '${name}'
import { datastoreTool } from '${name}/ai'
import { DatastoreRetriever } from '${name}/langchain'
async function main(): Promise<void> {
  const client = new AgentsDatastores()
  const { id: datastoreId } = await client.createDatastore({ name: 'forms' })
  await client.uploadFile(datastoreId, { file: { path: 'docs/hours.md' } })
  const [document] = await new DatastoreRetriever({ client, datastoreId }).invoke('When does it open?')
  const { description } = datastoreTool({ client, datastoreId, description: 'Searches.' })
  const lost = client.getAgent('agt_0')
  const code = await lost.catch((error: unknown) => error instanceof ProblemError && error.code)
  console.log(document?.pageContent.trim(), description, code, ConnectionError.name)
}
void main()
`
const options = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'node16',
  moduleResolution: 'node16',
  strict: true,
  // Those of the peers take longer than all else here.
  skipLibCheck: true,
  outDir: 'built',
  typeRoots: [join(root, 'node_modules/@types')],
  types: ['node'],
}
let packed: Packed
let url = ''
let compiled: { stdout: string }

beforeAll(async () => {
  packed = await installPacked('client')
  const { project } = packed
  await mkdir(join(project, 'docs'))
  await Promise.all([
    ...programs.map((text, index) => writeFile(join(project, `readme-${index}.ts`), text)),
    writeFile(join(project, 'docs/hours.md'), 'The library opens at nine.'),
    writeFile(join(project, 'wrong.ts'), wrong),
    writeFile(join(project, 'both.cts'), both),
    writeFile(join(project, 'both.mts'), both),
    writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options })),
    // What stands beside the client where its sub-paths are used.
    ...['ai', '@langchain'].map((peer) =>
      symlink(join(root, 'node_modules', peer), join(project, 'node_modules', peer)),
    ),
  ])
  compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], {
    cwd: project,
  }).catch((error: unknown) => error as { stdout: string })
  const server = await openServer({ dataUri: await temporaryDirectory() })
  url = server.url
  return server.close
}, 600_000)

const node = (file: string, more: Record<string, string> = {}, flags: string[] = []) =>
  run(process.execPath, [...flags, file], {
    cwd: packed.project,
    env: { ...process.env, SERVICE_URL: url, API_KEY: testKey, ...more },
  })

test('it is small and brings one package', { tags: 'deep' }, () => {
  expect(packed.size).toBeLessThan(2 * 1024 * 1024)
  expect(packed.installed.toSorted()).toEqual([name, 'eventsource-parser'])
})

test('what others say of packages is good', { tags: 'deep' }, async () => {
  await tool('publint/src/cli.js', 'run', packed.tarball, '--strict')
  // The oldest resolution of TypeScript knows no sub-paths.
  await tool('@arethetypeswrong/cli/dist/index.js', packed.tarball, '--profile', 'node16')
})

test('what README shows compiles, and what is wrong does not', { tags: 'deep' }, () => {
  expect(compiled.stdout).toBe('')
})

test('the program of README upserts, queries and asks', { tags: 'deep' }, async () => {
  expect(programs[0]!.trim().split('\n').length).toBeLessThanOrEqual(14)
  expect((await node('built/readme-0.js')).stdout).toBe(printed)
})

test(
  'README iterates over pages, sends a tag back and reads a stream',
  { tags: 'deep' },
  async () => {
    const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
    const { id } = await client.createDatastore({ name: 'library' })
    await client.createAgent({ name: 'Librarian', description: 'Answers.' })
    const { stdout } = await node('built/readme-1.js')
    expect(stdout).toContain(`${id} library\n`)
    for await (const { description } of client.listAgents()) {
      expect(description).toBe('Knows the library.')
    }
  },
)

test('a datastore is a retriever and a tool, as README shows', { tags: 'deep' }, async () => {
  const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
  const { id } = await client.createDatastore({ name: 'library' })
  await client.upsertDocuments(id, { documents: [{ text: 'The library opens at nine.' }] })
  const { stdout } = await node('built/readme-3.js', { DATASTORE: id })
  expect(stdout).toBe(`1 [ 'library' ]\n`)
})

test('files are uploaded as README shows', { tags: 'deep' }, async () => {
  expect((await node('built/readme-2.js')).stdout).toBe('hours.md\n')
})

test.each(['both.cjs', 'both.mjs'])(
  'every sub-path works in %s, typed and compiled for it',
  { tags: 'deep' },
  async (file) => {
    const { stdout } = await node(`built/${file}`)
    expect(stdout).toBe('The library opens at nine. Searches. not_found ConnectionError\n')
  },
)

const status = 'new AgentsDatastores().getLiveness().then(({ status }) => console.log(status))'

test.each([
  ['program.cjs', `const { AgentsDatastores } = require('${name}')`],
  [
    'retriever.cjs',
    `require('${name}/langchain'); const { AgentsDatastores } = require('${name}')`,
  ],
  ['program.mjs', `import { AgentsDatastores } from '${name}'`],
])(
  'plain JavaScript takes it in %s, where CommonJS cannot require ES modules',
  { tags: 'deep' },
  async (file, line) => {
    await writeFile(join(packed.project, file), `${line}\n${status}`)
    const { stdout } = await node(file, {}, ['--no-experimental-require-module'])
    expect(stdout).toBe('ok\n')
  },
)

test.runIf(hasChromium)(
  'a page of another origin does the same in a browser',
  { tags: 'deep' },
  async () => {
    const pages = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      void bundle.then((script) => response.end(`<script type="module">${script}</script>`))
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const browser = await launchChromium()
    onTestFinished(async () => {
      await browser.close()
      pages.close()
    })
    const server = await startServer({ corsOrigins: [origin] })
    const bundle = bundled(`{ baseUrl: '${server.url}', apiKey: '${testKey}' }`)

    const page = await browser.newPage()
    page.on('pageerror', (error) => expect.unreachable(error.message))
    // The 404 that is asked for is an error on the console.
    const logged = page.waitForEvent('console', (message) => message.type() === 'log')
    await page.goto(origin)
    const message = await logged
    expect(await message.args()[0]?.jsonValue()).toEqual({
      source: 'Opening hours',
      answer: 'The library opens at nine. Books may be kept for four weeks.',
      code: 'not_found',
    })
  },
)

/** The program of README with these settings, as a script for browsers. */
async function bundled(settings: string): Promise<string> {
  const text = programs[0]!.replace('AgentsDatastores()', `AgentsDatastores(${settings})`)
  await writeFile(join(packed.project, 'page.ts'), text)
  const flags = ['--bundle', '--format=esm', '--platform=browser', '--outfile=page.js']
  await tool('esbuild/bin/esbuild', 'page.ts', ...flags)
  return readFile(join(packed.project, 'page.js'), 'utf8')
}
