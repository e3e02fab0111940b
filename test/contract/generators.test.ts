import { createClient } from '@hey-api/openapi-ts'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { document, root } from '../support/contract.ts'
import { temporaryDirectory } from '../support/server.ts'

test(
  'what validators are generated to parses: no pattern ends its line',
  { tags: 'deep' },
  async () => {
    const path = await temporaryDirectory()
    await createClient({
      input: join(root, 'openapi.yaml'),
      output: path,
      logs: { level: 'silent', file: false },
      plugins: ['@hey-api/typescript', 'zod', 'valibot'],
    })
    const files = globSync('*.gen.ts', { cwd: path })
    expect(files.toSorted()).toEqual(['types.gen.ts', 'valibot.gen.ts', 'zod.gen.ts'])
    for (const file of files) {
      const { diagnostics } = ts.transpileModule(readFileSync(join(path, file), 'utf8'), {
        reportDiagnostics: true,
      })
      expect(diagnostics, file).toEqual([])
    }
  },
)

test('no text has a backslash, which generators put into template literals as it is', () => {
  const texts: string[] = []
  JSON.stringify(document, (key, value) => {
    if (['description', 'summary', 'title'].includes(key)) texts.push(value)
    return value
  })
  expect(texts.filter((text) => typeof text === 'string' && text.includes('\\'))).toEqual([])
})
