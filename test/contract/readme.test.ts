import { execFile } from 'node:child_process'
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { problems } from '../../generated/problems.gen.ts'
import { clientSettings, serverSettings } from '../../src/config.ts'
import { root } from '../support/contract.ts'
import { startServer, temporaryDirectory, testKey } from '../support/server.ts'

const { url } = await startServer()
const readme = await readFile(join(root, 'README.md'), 'utf8')
const run = promisify(execFile)

type Block = { fence: string; text: string }
const blocks: Block[] = Array.from(
  readme.matchAll(/^```([^\n]*)\n(.*?)^```$/gms),
  ([, fence = '', text = '']) => ({ fence, text }),
)

/** What differs from run to run: ids, times, and the last digits of a score. */
const settled = (output: string): string =>
  output
    .replaceAll(/\b(dst|src|agt|req|ads)_[0-9a-f_]+/g, '$1_')
    .replaceAll(/"[0-9a-f]{16}"/g, '"id"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/\d\.\d{3,}/g, (number) => Number(number).toFixed(4))
    .trim()

const environment = { ...process.env, API_KEY: testKey, SERVICE_URL: url }

test('every shell block gives what the README prints after it', async () => {
  const cwd = await temporaryDirectory()
  const steps = blocks.flatMap((block, index) =>
    block.fence === 'sh' ? [{ command: block.text, printed: blocks[index + 1]! }] : [],
  )
  expect(steps.length).toBeGreaterThan(5)
  const marker = '-- next block --'
  const script = steps.map(({ command }) => `${command}\necho; echo '${marker}'\n`).join('')
  const { stdout } = await run('bash', ['-c', script.replaceAll('http://127.0.0.1:3000', url)], {
    cwd,
    env: environment,
  })
  const outputs = stdout.split(marker).slice(0, -1).map(settled)
  expect(outputs).toEqual(
    steps.map(({ printed }) => {
      expect(printed.fence).toBe('json')
      return settled(printed.text)
    }),
  )
})

test('the TypeScript block runs and prints what the README says', async () => {
  const cwd = await temporaryDirectory()
  const index = blocks.findIndex(({ fence }) => fence === 'ts')
  await writeFile(join(cwd, 'walk.ts'), blocks[index]!.text)
  await copyFile(join(root, 'package.json'), join(cwd, 'package.json'))
  await symlink(join(root, 'generated'), join(cwd, 'generated'))
  const { stdout } = await run(process.execPath, ['walk.ts'], { cwd, env: environment })
  expect(stdout).toBe(blocks[index + 1]!.text)
})

test('the table of errors holds every code with its status', () => {
  for (const [code, { status }] of Object.entries(problems)) {
    expect(readme).toMatch(new RegExp(`^\\| ${status} \\| .*\`${code}\``, 'm'))
  }
})

test('the table of settings and .env.example hold every setting that is read', async () => {
  const config = await readFile(join(root, 'src/config.ts'), 'utf8')
  const names = new Set(Array.from(config.matchAll(/env\.([A-Z_]+)/g), ([, name = '']) => name))
  const example = await readFile(join(root, '.env.example'), 'utf8')
  expect([...serverSettings, ...clientSettings].toSorted()).toEqual([...names].toSorted())
  for (const name of names) {
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
    expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'))
  }
})
