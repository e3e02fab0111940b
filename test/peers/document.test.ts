import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { operations, root } from '../support/contract.ts'
import { openServer, temporaryDirectory, testKey } from '../support/server.ts'

/** Other people's tools read the document as it is served, and use the service by it. */

const peers = join(root, 'test/peers/document')
const modules = join(peers, 'node_modules')
const run = promisify(execFile)

const node = (...args: string[]) => run(process.execPath, args, { cwd })
const cli = (path: string) => join(modules, path)
const made = 'swagger-typescript-api.gen.ts'

/** Programs that use the service, and what makes the code that some of them need. */
const programs: Record<string, string[]> = {
  'openapi-fetch.ts': [
    cli('openapi-typescript/bin/cli.js'),
    'openapi.json',
    '-o',
    'openapi-typescript.ts',
  ],
  'orval.ts': [cli('.bin/orval'), '--input', './openapi.json', '--output', './orval.gen.ts'],
}
/** `npm run deep:peers` runs them too. */
const others: typeof programs = {
  'swagger-typescript-api.ts': [
    cli('.bin/swagger-typescript-api'),
    'generate',
    '-p',
    'openapi.json',
    '-o',
    '.',
    '-n',
    made,
  ],
  'orval-fetch.ts': [
    cli('.bin/orval'),
    '--input',
    './openapi.json',
    '--output',
    './orval-fetch.gen.ts',
    '--client',
    'fetch',
  ],
  'swagger-client.mjs': [],
  'postman.mjs': [],
}
const all = { ...programs, ...(process.env.PEERS === 'all' && others) }

let [cwd, url] = ['', '']
let logged: Record<string, unknown>[] = []

beforeAll(async () => {
  // They are too large to come with what the other tests need.
  if (!existsSync(join(modules, '.package-lock.json'))) {
    await run('npm', ['ci', '--prefix', peers, '--ignore-scripts'])
  }
  cwd = await temporaryDirectory()
  const sources = (name: string) => !/node_modules|package/.test(name.slice(peers.length))
  await cp(peers, cwd, { recursive: true, filter: sources })
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}')
  await symlink(modules, join(cwd, 'node_modules'))
  const server = await openServer({ dataUri: await temporaryDirectory() })
  ;({ url, logged } = server)
  const document = await (await fetch(`${url}/openapi.json`)).text()
  await writeFile(join(cwd, 'openapi.json'), document)
  for (const left of Object.keys(others)) if (!(left in all)) await rm(join(cwd, left))
  const makers = Object.values(all).filter((args) => args.length > 0)
  await Promise.all(makers.map((args) => node(...args)))
  return server.close
})

test('the types that they make hold for every operation', { tags: 'deep' }, async () => {
  const output = await node(cli('typescript/bin/tsc'), '-p', '.').catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(output.stdout).toBe('')
})

const operationIds = operations.map(({ operationId }) => operationId).toSorted()
/** What tools cannot do, as docs/calling.md says. */
const cannot: Record<string, string> = { 'swagger-typescript-api.ts': 'putFile' }
/** Programs for some operations alone. */
const only: Record<string, string[]> = {
  'orval-fetch.ts': ['createDatastore', 'getDocument', 'putFile', 'uploadFile'],
}

test.each(Object.keys(all))(
  '%s succeeds with every operation that it is for',
  { tags: 'deep' },
  async (name) => {
    const before = logged.length
    const env = { ...process.env, SERVICE_URL: url, API_KEY: testKey }
    const program = name.replace(/^(.*)\.ts$/, 'built/$1.js')
    await run(process.execPath, [program], { cwd, env })
    const succeeded = logged
      .slice(before)
      .flatMap(({ operationId, status }) => (Number(status) < 300 ? (operationId ?? []) : []))
    expect([...new Set(succeeded)].toSorted()).toEqual(
      only[name] ?? operationIds.filter((id) => id !== cannot[name]),
    )
  },
)

test('js-yaml reads the document as served', { tags: 'deep' }, async () => {
  const env = { ...process.env, SERVICE_URL: url }
  await run(process.execPath, ['js-yaml.mjs'], { cwd, env })
})
