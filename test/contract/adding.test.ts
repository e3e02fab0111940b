import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../support/contract.ts'
import { applyDiff } from '../support/apply-diff.ts'
import { temporaryDirectory } from '../support/server.ts'

const run = promisify(execFile)
/** Tests that the contract and the docs give a new operation; and its own, which imports all of the service. */
const derived = ['access', 'document', 'readme', 'served-document', 'workspaces']
const own = 'test/api/create-agent-copy.test.ts'
const types = { extends: './test/tsconfig.json', include: [own, 'src/text/opencc-js.d.ts'] }

test(
  'docs/adding.md followed to the letter adds an operation, an error code and a setting',
  { tags: 'deep', timeout: 600_000 },
  async () => {
    const cwd = join(await temporaryDirectory(), 'checkout')
    await cp(root, cwd, {
      recursive: true,
      filter: (path) => !leftOut.test(path.slice(root.length)),
    })
    await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'))
    // Its tests look for what they leave there, beside which ours are at work.
    const env = { ...process.env, TMPDIR: await temporaryDirectory() }
    const text = await readFile(join(root, 'docs/adding.md'), 'utf8')
    const diffs = Array.from(text.matchAll(/^```diff\n(.*?)^```$/gms), ([, diff = '']) => diff)
    expect(diffs).toHaveLength(5)
    for (const diff of diffs) await applyDiff(cwd, diff)

    const node = (file: string, ...args: string[]) =>
      run(process.execPath, [file, ...args], { cwd, env })
    await node('codegen/generate.ts')
    await writeFile(join(cwd, 'tsconfig.own.json'), JSON.stringify(types))
    await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.own.json')
    if (process.env.ADDING_TESTS !== 'all') return
    await node('node_modules/typescript/bin/tsc', '-p', 'test')
    const files = derived.map((name) => `test/contract/${name}.test.ts`)
    await node('node_modules/vitest/vitest.mjs', 'run', ...files, own)
  },
)

const leftOut = /^\/(\.git|data|test-output|(cli|client)\/(dist|LICENSE))\b|\/node_modules\b/
