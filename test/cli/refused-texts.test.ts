import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine } from '../support/command-line.ts'
import { Provider, recorded, recordedError, sendJson } from '../support/provider.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'

const provider = await Provider.start()
const { url } = await startServer({ provider: provider.settings })
const cwd = await temporaryDirectory()
const run = (...words: string[]) => commandLine(url, words, { cwd })

const texts = ['The library opens at nine.', 'This is too long.', 'Books may be kept.']
const refusal =
  'The embedding provider answered 400. It refuses characters 0 to 17 of the text. Nothing was stored.'
const tooLong = recordedError('invalid_request_error', null, 'The input exceeds the context.')
provider.behaviour = (call, response) =>
  call.body.input.some((text) => text.includes('too long'))
    ? sendJson(response, 400, tooLong)
    : sendJson(response, 200, recorded(call))

test('ingest names a file whose text the embedding provider refuses, and the others go on', async () => {
  await mkdir(join(cwd, 'docs'))
  for (const [index, text] of texts.entries())
    await writeFile(join(cwd, 'docs', `${index}.md`), text)
  const ingest = ['ingest', 'files', 'docs', '--create', '--concurrency', '1']
  const { code, stdout, stderr } = await run(...ingest)
  expect([code, stderr]).toEqual([1, `failed  docs/1.md ${refusal}\n`])
  expect(stdout).toContain('2 new, 1 failed')
})

test('import names a line whose text the provider refuses, and the others go on', async () => {
  const lines = texts.map((text, key) => JSON.stringify({ key: `${key}`, text }))
  await writeFile(join(cwd, 'lines.jsonl'), lines.join('\n'))
  expect(await run('import', 'lines', 'lines.jsonl', '--create')).toEqual({
    code: 1,
    stdout: '2 documents imported, 1 failed.\n',
    stderr: `failed  line 2 (1) ${refusal}\n`,
  })
})

test('where the provider refuses all texts, the first file ends the run', async () => {
  provider.behaviour = (_call, response) => sendJson(response, 400, tooLong)
  const { code, stderr } = await run('ingest', 'files', 'docs', '--again', '--concurrency', '1')
  expect([code, stderr]).toEqual([1, `${refusal}\n`])
})
