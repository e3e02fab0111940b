import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { operations, root } from '../support/contract.ts'
import { openServer, temporaryDirectory, testKey } from '../support/server.ts'

/** Other people's tools read the document as it is served, and use the service by it. */

const peers = join(root, 'test/peers/document')
const modules = join(peers, 'node_modules')
const run = promisify(execFile)
/** It only ends what hangs: hundreds of packages are installed, and many compilers run at once. */
const timeout = 1_800_000

const node = (...args: string[]) => run(process.execPath, args, { cwd })
const cli = (path: string) => join(modules, path)
const orval = (output: string, ...options: string[]) => [
  cli('.bin/orval'),
  '--input',
  './openapi.json',
  '--output',
  `./${output}`,
  ...options,
]

/** Programs that use the service, and what makes the code that some of them need. */
const programs: Record<string, string[]> = {
  'openapi-fetch.ts': [
    cli('openapi-typescript/bin/cli.js'),
    'openapi.json',
    '-o',
    'openapi-typescript.ts',
  ],
  'orval.ts': orval('orval.gen.ts'),
  'hey-api-zod.ts': ['hey-api.mjs', 'hey-api-zod.gen', 'zod'],
}
/** `npm run deep:peers` runs them too. */
const others: typeof programs = {
  'hey-api-query.ts': ['hey-api.mjs', 'hey-api-query.gen', 'valibot', '@tanstack/react-query'],
  'orval-fetch.ts': orval('orval-fetch.gen.ts', '--client', 'fetch'),
  'orval-zod.ts': orval('orval-zod.gen.ts', '--client', 'zod'),
  'orval-msw.ts': [cli('.bin/orval'), '--config', 'orval-msw.config.mjs'],
  'swagger-typescript-api.ts': [
    cli('.bin/swagger-typescript-api'),
    'generate',
    '-p',
    'openapi.json',
    '-o',
    '.',
    '-n',
    'swagger-typescript-api.gen.ts',
  ],
  'oazapfts.ts': [cli('.bin/oazapfts'), 'openapi.json', 'oazapfts.gen.ts'],
  'openapi-zod-client.ts': [
    cli('.bin/openapi-zod-client'),
    'openapi.json',
    '-o',
    'openapi-zod-client',
    '--group-strategy',
    'tag-file',
    '--complexity-threshold',
    '1',
  ],
  'kubb.ts': [cli('.bin/kubb'), 'generate', '--config', 'kubb.config.mjs'],
  'prism.ts': [],
  'swagger-client.mjs': [],
  'postman.mjs': [],
}
const isAll = process.env.PEERS === 'all'
const all = { ...programs, ...(isAll && others) }
/** They answer by themselves. */
const mocks = new Set(['prism.ts', 'orval-msw.ts'])

let [cwd, url] = ['', '']
let logged: Record<string, unknown>[] = []

beforeAll(async () => {
  // They are too large to come with what the other tests need.
  const omitted = isAll ? [] : ['--omit=dev']
  if (!(await isInstalled())) {
    await run('npm', ['ci', '--prefix', peers, '--ignore-scripts', ...omitted])
  }
  cwd = await temporaryDirectory()
  const sources = (name: string) => !/node_modules|package/.test(name.slice(peers.length))
  await cp(peers, cwd, { recursive: true, filter: sources })
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}')
  await symlink(modules, join(cwd, 'node_modules'))
  // Its code needs the zod of its own version, and names no file endings.
  for (const folder of ['openapi-zod-client', 'built/openapi-zod-client']) {
    await mkdir(join(cwd, folder), { recursive: true })
    await symlink(cli('openapi-zod-client/node_modules'), join(cwd, folder, 'node_modules'))
    await writeFile(join(cwd, folder, 'package.json'), '{"type":"commonjs"}')
  }
  const server = await openServer({ dataUri: await temporaryDirectory() })
  ;({ url, logged } = server)
  const document = await (await fetch(`${url}/openapi.json`)).text()
  await writeFile(join(cwd, 'openapi.json'), document)
  for (const left of Object.keys(others)) if (!(left in all)) await rm(join(cwd, left))
  const makers = Object.values(all).filter((args) => args.length > 0)
  await Promise.all(makers.map((args) => node(...args)))
  return server.close
}, timeout)

/** Whether all that is named is there, in its version. */
async function isInstalled() {
  const read = async (path: string) =>
    JSON.parse(await readFile(join(path, 'package.json'), 'utf8').catch(() => '{}'))
  const { dependencies, devDependencies } = await read(peers)
  const named = Object.entries({ ...dependencies, ...(isAll && devDependencies) })
  const found = await Promise.all(named.map(([name]) => read(cli(name))))
  return named.every(([, version], index) => found[index].version === version)
}

/** Code that tools make wrong by themselves, as docs/calling.md says. */
const faulty = /^(kubb\.gen\/zod\/(compound|metadata)FilterSchema|openapi-zod-client\/common)\.ts/

test('the types that they make hold for every operation', { tags: 'deep', timeout }, async () => {
  const output = await node(cli('typescript/bin/tsc'), '-p', '.').catch(
    (error: unknown) => error as { stdout: string },
  )
  // Lines that go on with an error are indented.
  const errors = output.stdout.split('\n').filter((line) => /^\S/.test(line))
  expect(errors.filter((line) => !faulty.test(line))).toEqual([])
})

const operationIds = operations.map(({ operationId }) => operationId).toSorted()
/** What tools cannot do, as docs/calling.md says. */
const cannot: Record<string, string[]> = {
  'swagger-typescript-api.ts': ['putFile'],
  'openapi-zod-client.ts': [
    'listConversations',
    'getConversation',
    'deleteConversation',
    'deleteConversations',
  ],
}
/** Programs for some operations alone. */
const only: Record<string, string[]> = {
  'orval-fetch.ts': ['createDatastore', 'getDocument', 'putFile', 'uploadFile'],
}

test.each(Object.keys(all))(
  '%s succeeds with every operation that it is for',
  { tags: 'deep', timeout },
  async (name) => {
    const before = logged.length
    const env = { ...process.env, SERVICE_URL: url, API_KEY: testKey }
    const program = name.replace(/^(.*)\.ts$/, 'built/$1.js')
    const { stdout } = await run(process.execPath, [program], { cwd, env })
    const answered = logged
      .slice(before)
      .flatMap(({ operationId, status }) => (Number(status) < 300 ? (operationId ?? []) : []))
    const succeeded = mocks.has(name) ? stdout.trim().split('\n') : answered
    expect([...new Set(succeeded)].toSorted()).toEqual(
      only[name] ?? operationIds.filter((id) => !cannot[name]?.includes(id)),
    )
  },
)

test('js-yaml reads the document as served', { tags: 'deep' }, async () => {
  const env = { ...process.env, SERVICE_URL: url }
  await run(process.execPath, ['js-yaml.mjs'], { cwd, env })
})
