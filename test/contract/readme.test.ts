import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { problems } from '../../generated/problems.gen.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { clientSettings } from '../../src/config/client-config.ts'
import { serverSettings } from '../../src/config/config.ts'
import { root } from '../support/contract.ts'
import { pythonWithHttpx } from '../support/python.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const docs = globSync('docs/*.md', { cwd: root }).toSorted()
const names = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs]
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')
const run = promisify(execFile)

const { url } = await startServer()
const data = await closedStore()

/** A store that no server has open, with one datastore, as the documents take `./data` to be. */
async function closedStore(): Promise<string> {
  const dataUri = join(await temporaryDirectory(), 'data')
  const { client, close } = await openServer({ dataUri })
  await upsert(client, await makeDatastore(client), 'The library opens at nine.')
  await close()
  return dataUri
}

type Block = { fence: string; text: string }
const blocksOf = (name: string): Block[] =>
  Array.from(textOf(name).matchAll(/^```([^\n]*)\n(.*?)^```$/gms), ([, fence = '', text = '']) => ({
    fence,
    text,
  }))

/** A shell block, and what is printed after it where the next block shows an output. */
type Step = { command: string; printed: string | undefined }
const stepsOf = (name: string): Step[] =>
  blocksOf(name).flatMap(({ fence, text }, index, all) => {
    const next = all[index + 1]
    const printed = next && ['json', 'text'].includes(next.fence) ? next.text : undefined
    return fence === 'sh' ? [{ command: text, printed }] : []
  })

/** What differs from run to run: ids, times, and the last digits of a score. */
const settled = (output: string): string =>
  output
    .replaceAll(/\b(dst|src|agt|cnv|msg|vst|req|ads)_[0-9a-f_]+/g, '$1_')
    .replaceAll(/"[0-9a-f]{16}"/g, '"id"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/\d\.\d{3,}/g, (number) => Number(number).toFixed(4))
    .trim()

/** A folder in which the commands of a checkout work, beside the data of a server that was stopped. */
async function checkout(): Promise<string> {
  const cwd = await temporaryDirectory()
  await copyFile(join(root, 'package.json'), join(cwd, 'package.json'))
  for (const name of ['cli', 'client', 'docs', 'generated', 'node_modules', 'src']) {
    await symlink(join(root, name), join(cwd, name))
  }
  await cp(data, join(cwd, 'data'), { recursive: true })
  return cwd
}

const { PATH, HOME, TMPDIR } = process.env
const NODE_COMPILE_CACHE = join(tmpdir(), 'compiled')
const env = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, API_KEY: testKey, SERVICE_URL: url }
const quick = { ...env, PATH: `${await quickNpm()}:${join(root, 'node_modules/.bin')}:${PATH}` }

/** A folder with an `npm` that begins the command line at once, as README has npm itself do. */
async function quickNpm(): Promise<string> {
  const folder = await temporaryDirectory()
  const script = `#!/bin/sh\n[ "$1 $2 $3 $4" = 'run -s cli --' ] && shift 4 && ${packageJson.scripts.cli} "$@"\nexit 1\n`
  await writeFile(join(folder, 'npm'), script, { mode: 0o755 })
  return folder
}
const here = (text: string): string => text.replaceAll('http://127.0.0.1:3000', url)

for (const name of names.filter((one) => stepsOf(one).length > 0)) {
  const tags = name === 'README.md' ? [] : ['deep']
  test(
    `${name}: every shell block succeeds and gives what is printed after it`,
    { tags },
    async () => {
      const steps = stepsOf(name)
      const marker = '-- next block --'
      const script = steps.map(({ command }) => `${command}\necho; echo '${marker}'\n`).join('')
      const options = { cwd: await checkout(), env: name === 'README.md' ? env : quick }
      const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', here(script)], options)
      const outputs = stdout.split(marker).slice(0, -1).map(settled)
      expect(outputs).toEqual(
        steps.map(({ printed }, index) =>
          printed === undefined ? outputs[index] : settled(printed),
        ),
      )
    },
  )
}

test('only what installs, starts, tests or measures is left out, and what another program does', () => {
  const blocks = names.flatMap(blocksOf)
  const fences = new Set(blocks.map(({ fence }) => fence))
  expect(blocks.filter(({ fence }) => fence === 'sh').length).toBeGreaterThan(15)
  expect(['sh', 'sh norun', 'json', 'text', 'ts', 'python', 'diff', 'nginx']).toEqual(
    expect.arrayContaining([...fences]),
  )
  const leftOut = blocks.filter(({ fence }) => fence === 'sh norun')
  for (const command of leftOut.flatMap(({ text }) => text.trim().split('\n'))) {
    expect(command).toMatch(
      /^npm (ci|test|run (bench|check|deep|format|generate|picture)\b)|^npx vitest |^claude mcp add /,
    )
  }
})

test('every npm script that is named exists', () => {
  const named = names.flatMap((name) =>
    Array.from(
      textOf(name).matchAll(/\bnpm\s+run\s+(?:-s\s+)?([a-z:-]+)/g),
      ([, script]) => script,
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named))
})

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-')

test.each([...names, 'client/README.md', 'cli/README.md'])(
  '%s: every link leads to a file, and to a heading of it',
  (name) => {
    for (const [, target = ''] of textOf(name).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : join(dirname(name), path)
      expect(existsSync(join(root, file)), target).toBe(true)
      if (anchor === undefined) continue
      const headings = Array.from(textOf(file).matchAll(/^#+ (.*)$/gm), ([, text = '']) => text)
      expect(headings.map(anchorOf)).toContain(anchor)
    }
  },
)

test('the TypeScript block runs and prints what the README says', async () => {
  const cwd = await checkout()
  const blocks = blocksOf('README.md')
  const index = blocks.findIndex(({ fence }) => fence === 'ts')
  await writeFile(join(cwd, 'walk.ts'), here(blocks[index]!.text))
  const { stdout } = await run(process.execPath, ['walk.ts'], { cwd, env })
  expect(stdout).toBe(blocks[index + 1]!.text)
})

test.runIf(pythonWithHttpx)('the Python block runs and prints what is shown', async () => {
  const blocks = blocksOf('docs/calling.md')
  const index = blocks.findIndex(({ fence }) => fence === 'python')
  const { stdout } = await run(pythonWithHttpx!, ['-c', here(blocks[index]!.text)], { env })
  expect(stdout).toBe(blocks[index + 1]!.text)
})

test('the table of errors holds every code with its status', () => {
  const calling = textOf('docs/calling.md')
  for (const [code, { status }] of Object.entries(problems)) {
    expect(calling).toMatch(new RegExp(`^\\|.* ${status} \`${code}\``, 'm'))
  }
})

test('the table of settings and .env.example hold every setting that is read', async () => {
  const files = ['config.ts', 'client-config.ts'].map((name) => join(root, 'src/config', name))
  const config = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('')
  const read = new Set(Array.from(config.matchAll(/env\.([A-Z_]+)/g), ([, name = '']) => name))
  const example = await readFile(join(root, '.env.example'), 'utf8')
  const all = [...serverSettings, ...clientSettings]
  // Those of one model each are read by a name that is put together.
  const named = all.filter((name) => !name.startsWith('CHAT_MODEL_'))
  expect(named.toSorted()).toEqual([...read].toSorted())
  for (const name of all) {
    expect(textOf('docs/settings.md')).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
    expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'))
  }
})
