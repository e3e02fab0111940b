import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AgentsDatastores } from '../../client/src/index.ts'
import { defaultFragmentLength } from '../../cli/src/transfer/line.ts'
import { document } from '../support/contract.ts'
import { commandLine, commandProcess } from '../support/command-line.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { openHoldingProxy } from '../support/holding-proxy.ts'
import { joinServer, temporaryDirectory, testKey } from '../support/server.ts'

const { url } = await joinServer()
const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
const cwd = await temporaryDirectory()

/** A datastore of documents with a key and without, and the id of one without. */
async function makeShelf(name: string): Promise<string> {
  const { id } = await client.createDatastore({ name })
  const others = Array.from({ length: 40 }, (_, index) => ({ text: `Text of ${index}.` }))
  const documents = [{ text: 'Without a key.' }, ...others]
  const { ids } = await client.upsertDocuments(id, { documents })
  const metadata = { source: 'https://library.example', tags: ['a', 1, true, null], at: { b: 1 } }
  await client.putDocument(id, 'z/last', {
    text: 'The last.\u2028 \ud83d\ude00 "quoted"\r\n',
    metadata,
  })
  await client.putDocument(id, 'Ünïcode', { text: ' Spaces around. ', name: 'Name' })
  return ids[0]!
}

const keyless = await makeShelf('shelf')
const run = (words: string[], input?: string) =>
  commandLine(url, words, { cwd, ...(input !== undefined && { input }) })
const exported = async (datastore: string) => (await run(['export', datastore])).stdout

async function sizeOf(datastore: string): Promise<number> {
  const { stdout } = await run(['datastores', 'show', datastore, '--json'])
  return JSON.parse(stdout).datasourceCount
}

test('export, import, export gives equal lines, in the order of their keys', async () => {
  const first = await exported('shelf')
  const lines = first
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const keys = lines.map(({ key }) => key)
  expect(keys).toEqual(keys.toSorted())
  expect(lines.find(({ key }) => key === keyless)).toEqual({
    key: keyless,
    name: '',
    metadata: null,
    text: 'Without a key.',
  })
  const imported = await run(['import', 'copy', '-', '--create'], first)
  expect(imported).toMatchObject({ code: 0, stdout: '43 documents imported.\n', stderr: '' })
  expect(await exported('copy')).toBe(first)
  expect((await run(['import', 'copy', '-'], first)).code).toBe(0)
  expect(await exported('copy')).toBe(first)
})

test('documents whose pages are not in the export are told of', async () => {
  expect((await run(['export', 'shelf'])).stderr).toBe('')
  const { id } = await client.createDatastore({ name: 'manuals' })
  await client.putDocument(id, 'plain', { text: 'Without pages.' })
  const pdf = pdfOf([['Of opening hours.'], ['Of lending books.']])
  await client.uploadFile(id, { file: new File([new Uint8Array(pdf)], 'manual.pdf') })
  const { code, stdout, stderr } = await run(['export', 'manuals'])
  expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 2])
  expect(stderr).toBe(
    '1 document with pages: the export does not hold where they begin, so answers from a copy name no page. Ingest the files instead.\n',
  )
})

test('the description and the fragment length go with an export', async () => {
  const settings = { description: 'Opening hours.', fragmentLength: 300 }
  const { id } = await client.createDatastore({ name: 'described', ...settings })
  await client.putDocument(id, 'a', { text: 'A.' })
  const lines = await exported('described')
  expect(lines).toBe(
    `${JSON.stringify({ datastore: settings })}\n{"key":"a","name":"","metadata":null,"text":"A."}\n`,
  )
  const made = await run(['import', 'described 2', '-', '--create'], lines)
  expect(made).toMatchObject({ code: 0, stdout: '1 document imported.\n', stderr: '' })
  expect(await exported('described 2')).toBe(lines)

  await writeFile(join(cwd, 'described.jsonl'), lines)
  const { id: plain } = await client.createDatastore({ name: 'plain' })
  const kept = await run(['import', 'plain', 'described.jsonl'])
  expect([kept.code, kept.stderr]).toEqual([
    0,
    'plain keeps its own description and its fragment length, 2000; the export has 300.\n',
  ])
  const wrong = lines.replace('300', '3')
  expect((await run(['import', 'new', '-', '--create'], wrong)).stderr).toBe(
    '--fragment-length must be >= 200.\n',
  )
  const late = await run(['import', 'plain', '-'], `{"key":"b","text":"B."}\n${lines}`)
  expect([late.code, late.stderr]).toEqual([
    1,
    'failed  line 2 has "datastore", which no document has\n',
  ])
  const described = '{"datastore":{"description":""}}\n'
  expect(await run(['import', 'plain', '-'], described)).toMatchObject({ code: 0, stderr: '' })
  const { key } = await client.createKey({ name: 'writer', scopes: ['datastores:write'] })
  const written = await run(['import', plain, '-', '--key', key], lines)
  expect(written).toMatchObject({ code: 0, stderr: '' })
})

test('a datastore of the default fragment length needs no first line', () => {
  expect(document.components.schemas.FragmentLength).toMatchObject({
    default: defaultFragmentLength,
  })
})

test('an import into the datastore that the export is of doubles no document', async () => {
  const { id } = await client.createDatastore({ name: 'own' })
  const { ids } = await client.upsertDocuments(id, {
    documents: [{ text: 'One.' }, { text: 'Two.' }],
  })
  await client.putDocument(id, 'keyed', { text: 'Three.' })
  const { stdout: lines } = await run(['export', 'own'])
  await client.deleteDatasource(id, ids[0]!)
  const again = await run(['import', 'own', '-'], lines)
  expect(again).toMatchObject({ code: 0, stdout: '2 documents imported, 1 left as they are.\n' })
  expect((await run(['export', 'own'])).stdout).toBe(lines)
})

test('an import that is cut short is finished by running it again', { tags: 'deep' }, async () => {
  const lines = Array.from({ length: 450 }, (_, n) => ({
    key: String(n).padStart(3, '0'),
    name: '',
    metadata: null,
    text: `Text of ${n}.`,
  }))
  const first = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(join(cwd, 'cut.jsonl'), first)
  const gate = await openHoldingProxy(url, /^PUT /, 2)
  onTestFinished(gate.close)
  const killed = new AbortController()
  const words = ['import', 'cut', 'cut.jsonl', '--create']
  const cut = commandProcess(gate.url, words, { cwd, signal: killed.signal })
  await gate.held
  await expect.poll(() => sizeOf('cut')).toBe(200)
  killed.abort()
  expect((await cut).stdout).toBe('')
  const again = await run(['import', 'cut', 'cut.jsonl', '--json'])
  expect(JSON.parse(again.stdout)).toEqual({ imported: 450, failed: 0, left: 0 })
  expect(await exported('cut')).toBe(first)
})

test(
  'many small documents go in one request, and a text too long for JSON as a file',
  { tags: 'deep' },
  async () => {
    const requests: string[] = []
    const gate = await openHoldingProxy(url, /^(PUT|POST) \/datastores\/./, 100, (one) =>
      requests.push(one),
    )
    onTestFinished(gate.close)
    const text = `From: here\r\n\r\n<html> ${'Ünd so weiter. '.repeat(75_000)}`
    const metadata = { note: 'x'.repeat(8_000), tags: ['a', 1] }
    const lines = [
      ...Array.from({ length: 60 }, (_, n) => ({ key: `k${n}`, text: `Text of ${n}.` })),
      { key: 'long', name: 'Long', metadata, text },
      { key: 'last', text: 'After the long one.' },
    ]
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    const words = ['import', 'mixed', '-', '--create', '--concurrency', '1']
    const imported = await commandLine(gate.url, words, { cwd, input })
    expect(imported).toMatchObject({ code: 0, stdout: '62 documents imported.\n', stderr: '' })
    expect(requests.map((one) => one.replace(/dst_\w+/, '…'))).toEqual([
      'PUT /datastores/…/documents',
      'POST /datastores/…/files?key=long',
      'PUT /datastores/…/documents/last',
    ])
    const kept = (await exported('mixed')).split('\n').find((line) => line.includes('"long"'))
    expect(JSON.parse(kept!)).toEqual({ key: 'long', name: 'Long', metadata, text })
  },
)

test('a document without a key is shown and deleted in its copy, too', async () => {
  await run(['import', 'copied', '-', '--create'], await exported('shelf'))
  const documents = (...words: string[]) => run(['documents', ...words])
  expect((await documents('show', 'copied', keyless)).stdout).toBe('Without a key.\n')
  expect(await documents('delete', 'copied', keyless)).toMatchObject({ code: 0 })
  expect((await documents('show', 'copied', keyless)).code).toBe(1)
})

test('a pipe is read once, to its end', async () => {
  const pipe = join(await temporaryDirectory(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const written = writeFile(pipe, '{"key": "a", "text": "A."}\n{"key": "b", "text": "B."}\n')
  const imported = await run(['import', 'piped', pipe, '--create'])
  await written
  expect(imported).toMatchObject({ code: 0, stdout: '2 documents imported.\n' })
})

test('a line that is no UTF-8 is not imported', async () => {
  const file = join(await temporaryDirectory(), 'latin1.jsonl')
  const lines = '{"key": "a", "text": "Das Café öffnet."}\n{"key": "b", "text": "Plain."}\n'
  await writeFile(file, Buffer.from(lines, 'latin1'))
  const imported = await run(['import', 'latin1', file, '--create'])
  expect(imported).toMatchObject({ code: 1, stdout: '1 document imported, 1 failed.\n' })
  expect(imported.stderr).toBe('failed  line 1 is no UTF-8\n')
})

test('a line that is wrong is named, and the others are imported', async () => {
  const lines = [
    '\uFEFF{"key": "right", "text": "Right."}',
    'no JSON',
    '{"text": "Without a key."}',
    '{"key": "no text"}',
    '',
    '{"key": "empty", "text": ""}',
    '{"key": "metadata", "text": "Text.", "metadata": []}',
    '{"key": "also right", "text": "Also right.", "name": "Name"}',
    '{"key": "misspelt", "text": "Text.", "metdata": {"custom_id": "ann"}}',
    '{"key": "right", "text": "Right again."}',
    '{"key": "large", "text": "Text.", "metadata": {"order": 9007199254740993}}',
    '{"key": "exact", "text": "Text.", "metadata": {"order": 9007199254740992}}',
    '{"key": "cut", "text": "Cut o',
  ]
  const { code, stdout, stderr } = await run(['import', 'lines', '-', '--create'], lines.join('\n'))
  expect([code, stdout]).toEqual([1, '3 documents imported, 9 failed.\n'])
  const numbers = Array.from(stderr.matchAll(/^failed {2}line (\d+) /gm), ([, number]) => number)
  expect(numbers.toSorted()).toEqual(['10', '11', '13', '2', '3', '4', '6', '7', '9'])
  expect(stderr).toMatch(/^failed {2}line 9 has "metdata", which no document has$/m)
  expect(stderr).toMatch(/^failed {2}line 10 has the key of line 1$/m)
  expect(stderr).toMatch(/^failed {2}line 11 has a number that would not .*: 9007199254740993$/m)
  expect(stderr).toMatch(/^failed {2}line 13 is no JSON, or is cut off$/m)
  const missing = await run(['import', 'lines', 'missing.jsonl'])
  expect([missing.code, missing.stderr]).toEqual([1, 'missing.jsonl is not there.\n'])
  const folder = await run(['import', 'lines', '/tmp'])
  expect([folder.code, folder.stderr]).toEqual([1, '/tmp is a folder.\n'])
})
