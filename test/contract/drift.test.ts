import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { root } from '../support/contract.ts'

const fresh = await mkdtemp(join(tmpdir(), 'generated-'))
afterAll(() => rm(fresh, { recursive: true, force: true }))

test('what is generated is what openapi.yaml and README give; `npm run generate` brings it up to date', async () => {
  const methods = join(fresh, 'methods.gen.ts')
  await promisify(execFile)(process.execPath, [join(root, 'codegen/generate.ts'), fresh, methods])
  expect(await readFile(join(root, 'client/src/methods.gen.ts'), 'utf8')).toBe(
    await readFile(methods, 'utf8'),
  )
  await rm(methods)
  expect(await contents(join(root, 'generated'))).toEqual(await contents(fresh))
})

async function contents(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return Object.fromEntries(
    files.map((file, index) => [file.slice(directory.length), texts[index] ?? '']).toSorted(),
  )
}
