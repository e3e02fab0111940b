import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { AgentsDatastores } from '../../client/src/index.ts'
import { othersStored } from '../../cli/src/ingest/gone-documents.ts'
import { datastoreIdOrNew } from '../../cli/src/names.ts'
import { maxFileBytes } from '../../cli/src/ingest/file-content.ts'
import { docxOf } from '../support/documents/packages.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { commandLine, silentUrl, TerminalRun } from '../support/command-line.ts'
import { document } from '../support/contract.ts'
import { openHoldingProxy } from '../support/holding-proxy.ts'
import { joinServer, temporaryDirectory, testKey } from '../support/server.ts'

const { url } = await joinServer()
const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })

type Files = Record<string, string | Uint8Array>

/** A folder `docs` with these files, in a folder of its own. */
async function folder(files: Files): Promise<string> {
  const cwd = await temporaryDirectory()
  await writeFiles(cwd, files)
  return cwd
}

async function writeFiles(cwd: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, 'docs', path)), { recursive: true })
    await writeFile(join(cwd, 'docs', path), content)
  }
}

async function textsOf(datastore: string): Promise<Record<string, string>> {
  const id = await idOf(datastore)
  const texts: Record<string, string> = {}
  for await (const { id: datasource, key } of client.listDatasources(id)) {
    texts[key ?? ''] = (await client.getDatasource(id, datasource)).text
  }
  return texts
}

async function idOf(datastore: string): Promise<string> {
  for await (const { id, name } of client.listDatastores()) if (name === datastore) return id
  throw new Error(`There is no ${datastore}.`)
}

test('a folder is ingested, and again after its files changed', async () => {
  const cwd = await folder({
    'hours.md': 'The library opens at nine.',
    'sub/lending.txt': 'Books may be kept for four weeks.',
    'old.md': 'Closed on Sundays.',
    'manual.pdf': new Uint8Array(pdfOf([['The manual.']])),
    'report.docx': new Uint8Array(docxOf(['The report.'])),
    'page.html': '<h1>Page</h1><p>The page.</p>',
    'empty.md': '\n',
    'picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
    'all.md.gz': new Uint8Array(gzipSync('Compressed.')),
    '.hidden/secret.md': 'A secret.',
    'node_modules/module/README.md': 'A module.',
  })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'tree', 'docs', ...words], { cwd })

  const documents = {
    'manual.pdf': 'The manual.',
    'report.docx': 'The report.',
    'page.html': '# Page\n\nThe page.',
  }
  const missing = await ingest()
  expect(missing).toMatchObject({
    code: 1,
    stderr: 'There is no datastore named "tree"; --create makes it.\n',
  })
  const planned = await ingest('--create', '--dry-run')
  expect([planned.code, planned.stdout]).toEqual([
    0,
    'It would be 6 new, 3 ignored, unless the service finds no text; nothing was done.\n',
  ])
  const first = await ingest('--create')
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(/^6 new, 3 ignored in /)
  expect(first.stderr).toMatch(/^ignored {2}docs\/empty\.md is empty$/m)
  expect(first.stderr).toMatch(/^ignored {2}docs\/picture\.png is no text and no document$/m)
  expect(first.stderr).toMatch(/^ignored {2}docs\/all\.md\.gz is compressed \(GZIP\)\. Unpack it$/m)
  expect(await textsOf('tree')).toEqual({
    'hours.md': 'The library opens at nine.',
    'sub/lending.txt': 'Books may be kept for four weeks.',
    'old.md': 'Closed on Sundays.',
    ...documents,
  })

  const second = await ingest('--delete')
  expect([second.code, second.stdout]).toEqual([
    0,
    'Nothing has changed: 6 files, and 3 ignored.\n',
  ])

  const { data } = await client.listDatasources(await idOf('tree'))
  const loans = data.find(({ key }) => key === 'sub/lending.txt')
  expect(loans?.name).toBe('sub/lending.txt')
  await client.patchDatasource(await idOf('tree'), loans?.id ?? '', { name: 'lending.txt' })
  expect((await ingest()).stdout).toMatch(/^1 changed, 5 unchanged, 3 ignored in /)
  expect((await client.getDocument(await idOf('tree'), 'sub/lending.txt')).name).toBe(
    'sub/lending.txt',
  )

  await writeFiles(cwd, { 'hours.md': 'The library opens at ten.' })
  await rename(join(cwd, 'docs/sub/lending.txt'), join(cwd, 'docs/sub/loans.txt'))
  await rm(join(cwd, 'docs/old.md'))
  const tried = await ingest('--delete', '--dry-run', '--json')
  const { files } = JSON.parse(tried.stdout)
  const ingested = [
    { kind: 'changed', of: 'docs/hours.md' },
    { kind: 'deleted', of: 'old.md' },
    { kind: 'deleted', of: 'sub/lending.txt' },
    { kind: 'new', of: 'docs/sub/loans.txt' },
  ]
  const taken = files.filter(({ kind }: { kind: string }) => kind !== 'ignored')
  expect(new Set(taken)).toEqual(new Set(ingested))
  expect(Object.keys(await textsOf('tree'))).toContain('old.md')
  const told = '2 documents have no file with text any more; --delete removes them.'
  expect((await ingest('--dry-run')).stderr).toContain(told)
  const third = await ingest('--delete', '--json')
  expect(JSON.parse(third.stdout)).toMatchObject({ new: 1, changed: 1, deleted: 2, unchanged: 3 })
  expect(await textsOf('tree')).toEqual({
    'hours.md': 'The library opens at ten.',
    'sub/loans.txt': 'Books may be kept for four weeks.',
    ...documents,
  })
})

test('--again reads files that have not changed as this version reads them', async () => {
  const cwd = await folder({
    'hours.md': 'The library opens at nine.',
    'old.md': 'Closed on Sundays.',
  })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'again', 'docs', '--create', ...words], { cwd })
  await ingest()
  const id = await idOf('again')
  const before = await client.getDocument(id, 'hours.md')
  await client.updateDatasource(id, { id: before.id, text: 'As it was read before.' })
  expect((await ingest()).stdout).toBe('Nothing has changed: 2 files.\n')
  expect((await textsOf('again'))['hours.md']).toBe('As it was read before.')
  expect((await ingest('--again', '--dry-run')).stdout).toMatch(/^It would be 2 changed, /)
  expect((await ingest('--again')).stdout).toMatch(/^2 changed in /)
  expect(await client.getDocument(id, 'hours.md')).toMatchObject({
    id: before.id,
    text: 'The library opens at nine.',
    metadata: before.metadata,
  })
})

test('what did not come from the folder is neither replaced nor deleted', async () => {
  const { id } = await client.createDatastore({ name: 'shared' })
  await client.putDocument(id, 'own.md', { text: 'Put by a program.' })
  const cwd = await folder({ 'own.md': 'From a file.', 'more.md': 'More.' })
  await mkdir(join(cwd, 'other'))
  await writeFile(join(cwd, 'other/more.md'), 'Other.')
  await writeFile(join(cwd, 'other/only.md'), 'Only here.')
  const ingest = (...words: string[]) => commandLine(url, ['ingest', 'shared', ...words], { cwd })

  const first = await ingest('docs', '--delete')
  expect([first.code, first.stderr]).toEqual([
    1,
    expect.stringMatching(/^failed {2}docs\/own\.md has the key of a document, "own\.md": /),
  ])
  const second = await ingest('other', '--delete')
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringMatching(/^failed {2}other\/more\.md has the key of a file .*docs, "more\.md": /),
  ])
  expect(await textsOf('shared')).toEqual({
    'own.md': 'Put by a program.',
    'more.md': 'More.',
    'only.md': 'Only here.',
  })
  expect((await ingest('other', '--prefix', 'other/')).code).toBe(0)
  expect((await ingest('docs', '--overwrite')).code).toBe(0)
  expect(await textsOf('shared')).toMatchObject({
    'own.md': 'From a file.',
    'other/more.md': 'Other.',
  })
  const both = await ingest('docs', 'other', '--prefix', 'both/')
  expect([both.code, both.stderr]).toEqual([
    1,
    expect.stringContaining('failed  other/more.md has the key of docs/more.md'),
  ])
})

test('another folder of the same name replaces and deletes nothing', async () => {
  const licence = 'Copy it, and keep this notice.'
  const first = await folder({
    'hours.md': 'The library opens at nine.',
    'only.md': 'Only here.',
    licence,
  })
  const second = await folder({ 'hours.md': 'The pool opens at six.', 'fees.md': 'None.', licence })
  const ingest = (cwd: string, ...words: string[]) =>
    commandLine(url, ['ingest', 'namesakes', 'docs', ...words], { cwd })
  await ingest(first, '--create')
  const before = await textsOf('namesakes')
  for (const words of [[], ['--dry-run'], ['--delete']]) {
    expect(await ingest(second, ...words)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The documents of the folder docs were put from another /),
    })
  }
  // Else a later run for the first, with --delete, would delete the files of this one.
  const strange = await folder({ 'strange.md': 'No file of the others has this name.' })
  expect((await ingest(strange)).code).toBe(1)
  expect(await textsOf('namesakes')).toEqual(before)
  expect((await ingest(second, '--prefix', 'pool/')).code).toBe(0)
  expect(await textsOf('namesakes')).toMatchObject({
    ...before,
    'pool/hours.md': 'The pool opens at six.',
  })

  const moved = await folder({ 'hours.md': 'The library opens at ten.', 'only.md': 'Only here.' })
  expect((await ingest(moved)).stdout).toMatch(/^1 changed, 1 unchanged in /)
  expect((await ingest(second, '--overwrite', '--delete')).stdout).toMatch(
    /^1 new, 1 changed, 1 deleted, 1 unchanged /,
  )
})

test('two folders of one name that were ingested together delete nothing of each other', async () => {
  const cwd = await temporaryDirectory()
  for (const [name, file] of [
    ['a', 'one.md'],
    ['b', 'two.md'],
  ] as const) {
    await mkdir(join(cwd, name, 'docs'), { recursive: true })
    await writeFile(join(cwd, name, 'docs', file), `The file ${file}.`)
  }
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'together', ...words, '--create'], { cwd })
  expect((await ingest('a/docs', 'b/docs')).code).toBe(0)
  const one = await ingest('a/docs', '--delete')
  const told =
    '1 document is of another folder of the same name; "documents delete" removes them.\n'
  expect(one).toMatchObject({ code: 0, stderr: told })
  await rm(join(cwd, 'b/docs/two.md'))
  expect((await ingest('a/docs', 'b/docs', '--delete')).stderr).toBe(told)
  expect(Object.keys(await textsOf('together')).toSorted()).toEqual(['one.md', 'two.md'])
})

test('the root of a disk, which has no name, has only the documents that came from it', () => {
  const file = { path: '/a.md', key: 'a.md', name: 'a.md', source: '/a.md' }
  const found = { files: [{ ...file, folder: '', place: 'root' }], keys: new Set(['a.md']) }
  const ingested = (of?: string) => ({ ingest: { sha256: '0', folder: of, place: 'root' } })
  const stored = new Map(
    Object.entries({
      'put.md': null,
      'named.md': { custom_id: 'ann' },
      'single.md': ingested(),
      'gone.md': ingested(''),
    }).map(([key, metadata]) => [key, { id: key, name: key, metadata }]),
  )
  expect(othersStored(stored, { ...found, unread: [] }).gone).toEqual(['gone.md'])
})

test('a folder that is in with another prefix is told of, and how to delete it', async () => {
  const cwd = await folder({ 'hours.md': 'The library opens at nine.', 'fees.md': 'Fees.' })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'doubled', 'docs', '--create', ...words], { cwd })
  expect((await ingest()).stderr).toBe('')
  const { stderr } = await ingest('--prefix', 'manuals/')
  expect(stderr).toMatch(/^2 documents of this folder are in with another --prefix, as docs; /)
  const [, filter = ''] = stderr.match(/"documents delete dst_\w+ --filter '(.*)'" /) ?? []
  const words = ['documents', 'delete', 'doubled', '--filter', filter, '--yes']
  expect((await commandLine(url, words)).stdout).toBe('Deleted 2 documents.\n')
  expect(Object.keys(await textsOf('doubled')).toSorted()).toEqual([
    'manuals/fees.md',
    'manuals/hours.md',
  ])
  expect((await ingest('--prefix', 'manuals/')).stderr).toBe('')
})

test('a prefix of another writer cannot end the command that is told, nor move the cursor', async () => {
  const cwd = await folder({ 'hours.md': 'The library opens at nine.' })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'quoted', 'docs', '--create', ...words], { cwd })
  await ingest('--prefix', "it's\u009b2J/")
  const { stderr } = await ingest()
  expect(stderr).toContain("as it's\ufffd2J/docs; ")
  expect(stderr).toContain(`"value":"it'\\''s\ufffd2J/docs"}'" removes them.`)
})

test('a file of a folder that is ingested by itself is told of', async () => {
  const cwd = await folder({ 'hours.md': 'It opens at nine.', 'sub/fees.md': 'Fees.' })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'single', '--create', ...words], { cwd })
  expect((await ingest('docs', '--prefix', 'a/')).stderr).toBe('')
  await writeFiles(cwd, { 'hours.md': 'It opens at ten.' })
  const too = /^1 file is in as another document, too, such as (\S+) as (\S+);/
  const file = await ingest('docs/hours.md')
  expect(file.stderr.match(too)?.slice(1)).toEqual(['docs/hours.md', 'a/hours.md'])
  const inner = await ingest('docs/sub', '--dry-run')
  expect(inner.stderr).toMatch(/such as docs\/sub\/fees\.md as a\/sub\/fees\.md;/)
  expect((await ingest('docs', '--prefix', 'a/')).stderr).toBe('')
})

test('patterns choose files, and what they leave out is not deleted', async () => {
  const cwd = await folder({ 'a.md': 'A.', 'sub/b.md': 'B.', 'c.txt': 'C.', 'sub/d.txt': 'D.' })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'chosen', 'docs', '--create', ...words], { cwd })
  await ingest('--include', '*.md', '--include', 'sub/**', '--exclude', 'sub/b*')
  expect(Object.keys(await textsOf('chosen')).toSorted()).toEqual(['a.md', 'sub/d.txt'])
  const other = await ingest('--include', '*.txt', '--delete')
  expect(other.stdout).toMatch(/^1 new, 1 unchanged in/)
  expect(other.stderr).toContain(
    '1 document is of a file that the patterns leave out; "documents delete" removes them.',
  )
  const files = ['docs/a.md', 'docs/c.txt', 'docs/sub/b.md', '--prefix', 'given/']
  const choice = ['--include', '*.md', '--exclude', 'docs/sub/**']
  await commandLine(url, ['ingest', 'chosen', ...files, ...choice], { cwd })
  const keys = Object.keys(await textsOf('chosen'))
  expect(keys.filter((key) => key.startsWith('given/'))).toEqual(['given/docs/a.md'])
  await commandLine(url, ['documents', 'delete', 'chosen', 'given/docs/a.md'])
  const inside = ['documents', 'delete', 'chosen']
  const wrong = await commandLine(url, [...inside, 'a.md', 'b.md'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('b.md')])
  expect(Object.keys(await textsOf('chosen')).length).toBe(3)
  const deleted = await commandLine(url, [...inside, 'a.md'])
  expect([deleted.code, deleted.stdout]).toEqual([0, 'Deleted a.md.\n'])
  const listed = await commandLine(url, ['documents', 'list', 'chosen'])
  expect(listed.stdout).toMatch(/^sub\/d\.txt\tsub\/d\.txt\t2.*\nc\.txt\tc\.txt\t2.*\n$/)
  const shown = await commandLine(url, ['documents', 'show', 'chosen', 'c.txt'])
  expect(shown.stdout).toBe('C.\n')
})

test('a document whose file has no text any more is told of, and deleted with --delete', async () => {
  const cwd = await folder({ 'price.txt': 'Forty euros.', 'page.txt': 'A page.', 'a.txt': 'A.' })
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'emptied', 'docs', ...words], { cwd })
  await ingest('--create')
  await writeFiles(cwd, { 'price.txt': '', 'page.txt': new Uint8Array([0x89, 0x50, 0, 0xff]) })
  const told = '2 documents have no file with text any more; --delete removes them.'
  expect((await ingest()).stderr).toContain(told)
  expect((await ingest('--delete')).stdout).toMatch(/^2 deleted, 1 unchanged, 2 ignored in /)
  expect(await textsOf('emptied')).toEqual({ 'a.txt': 'A.' })
})

test(
  'the name and the metadata that a document was given stay, but for those of --metadata',
  { tags: 'deep' },
  async () => {
    const cwd = await folder({ 'sub/a.md': 'A.' })
    const ingest = (...words: string[]) =>
      commandLine(url, ['ingest', 'patched', 'docs', ...words], { cwd })
    await ingest('--create', '--metadata', '{"custom_id": "ann", "draft": true}')
    const id = await idOf('patched')
    const { id: datasource } = await client.getDocument(id, 'sub/a.md')
    await client.patchDatasource(id, datasource, {
      name: 'Invoice 7',
      metadata: { reviewed: true },
    })
    expect((await ingest()).stdout).toBe('Nothing has changed: 1 file.\n')
    await writeFiles(cwd, { 'sub/a.md': 'B.' })
    expect((await ingest('--metadata', '{"draft": false}')).stdout).toMatch(/^1 changed in /)
    expect(await client.getDocument(id, 'sub/a.md')).toMatchObject({
      name: 'Invoice 7',
      text: 'B.',
      metadata: { custom_id: 'ann', draft: false, reviewed: true, source: 'docs/sub/a.md' },
    })
  },
)

test(
  'documents of kinds that are not read fail, and pictures and archives do not',
  { tags: 'deep' },
  async () => {
    const cwd = await folder({
      'letter.rtf': '{\\rtf1 A letter.}',
      'old.doc': new Uint8Array([
        0xd0,
        0xcf,
        0x11,
        0xe0,
        0xa1,
        0xb1,
        0x1a,
        0xe1,
        ...Buffer.from('WordDocument', 'utf16le'),
      ]),
      'all.md.gz': new Uint8Array(gzipSync('Compressed.')),
      'a.md': 'A.',
    })
    const run = await commandLine(url, ['ingest', 'kinds', 'docs', '--create'], { cwd })
    expect([run.code, run.stdout]).toEqual([
      1,
      expect.stringMatching(/^1 new, 1 ignored, 2 failed in /),
    ])
    expect(run.stderr).toMatch(
      /^failed {2}docs\/letter\.rtf is not taken: .* RTF,.* Save it as DOCX\.$/m,
    )
  },
)

test('files and standard input have the key they are given, and the metadata', async () => {
  const cwd = await folder({ 'sub/a.md': 'A file.' })
  const words = ['ingest', 'given', '--create', '--metadata', '{"custom_id": "main-street"}']
  expect((await commandLine(url, [...words, 'docs/sub/a.md'], { cwd })).code).toBe(0)
  const input = { cwd, input: 'From a pipe.' }
  expect((await commandLine(url, [...words, '-', '--as', 'piped.txt'], input)).code).toBe(0)
  expect(await textsOf('given')).toEqual({
    'docs/sub/a.md': 'A file.',
    'piped.txt': 'From a pipe.',
  })
  const id = await idOf('given')
  const { data } = await client.listDatasources(id)
  expect(data[0]).toMatchObject({
    name: 'a.md',
    source: 'docs/sub/a.md',
    metadata: { custom_id: 'main-street' },
  })
  const again = await commandLine(url, [...words, '-', '--as', 'piped.txt'], input)
  expect(again.stdout).toBe('Nothing has changed: 1 file.\n')
  const below = [...words, '-', '--as', 'piped.txt', '--prefix', 'logs/']
  expect((await commandLine(url, below, input)).code).toBe(0)
  expect(await textsOf('given')).toMatchObject({ 'logs/piped.txt': 'From a pipe.' })
  const chosen = await commandLine(url, [...words, '-', '--as', 'x', '--include', '*.md'], input)
  expect(chosen).toMatchObject({ code: 2, stderr: expect.stringContaining('--include') })
})

test.runIf(process.platform === 'linux')(
  'a file that the disk does not give is named, the others go on, and nothing is deleted',
  async () => {
    const cwd = await folder({ 'a.md': 'A.', 'gone.md': 'Gone.' })
    const ingest = (...words: string[]) =>
      commandLine(url, ['ingest', 'unread', 'docs', ...words, '--create'], { cwd })
    await ingest()
    await writeFiles(cwd, { 'b.md': 'B.' })
    await rm(join(cwd, 'docs/gone.md'))
    const { code, stdout, stderr } = await ingest('/proc/self/mem', '--delete')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^1 new, 1 unchanged, 1 failed in /)])
    expect(stderr).toMatch(/^failed {2}\/proc\/self\/mem EIO/)
    expect(stderr).toContain('Nothing is deleted, because not all could be read.')
  },
)

test('a file may have any name', async () => {
  const names = [
    'line\nbreak.md',
    'carriage\rreturn.md',
    'esc\u001b[31mape.md',
    '50%2F "#?.md',
    '-.md',
  ]
  const cwd = await folder(Object.fromEntries(names.map((name) => [name, 'A file.'])))
  const words = ['ingest', 'names', 'docs', '--create', '--verbose']
  const first = await commandLine(url, words, { cwd })
  expect(first.stdout).toMatch(/^5 new in /)
  expect(first.stderr.match(/^new {2}docs\/[^\p{Cc}]+\.md$/gmu)).toHaveLength(5)
  expect(Object.keys(await textsOf('names')).toSorted()).toEqual(names.toSorted())
  const again = await commandLine(url, [...words, '--delete'], { cwd })
  expect(again.stdout).toBe('Nothing has changed: 5 files.\n')
})

test('files whose paths are longer than a key may be are told apart, and known again', async () => {
  const deep = 'a folder with a long name/'.repeat(12)
  const cwd = await folder({ [`1/${deep}a.md`]: 'One.', [`2/${deep}a.md`]: 'Two.' })
  const words = ['ingest', 'deep', 'docs', '--create']
  expect((await commandLine(url, words, { cwd })).stdout).toMatch(/^2 new in /)
  expect(Object.values(await textsOf('deep')).toSorted()).toEqual(['One.', 'Two.'])
  const { data } = await client.listDatasources(await idOf('deep'))
  expect(data.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^….*long name\/a\.md$/),
    expect.stringMatching(/^….*long name\/a\.md$/),
  ])
  const again = await commandLine(url, [...words, '--delete'], { cwd })
  expect(again.stdout).toBe('Nothing has changed: 2 files.\n')
  await rm(join(cwd, 'docs/1'), { recursive: true })
  expect((await commandLine(url, [...words, '--delete'], { cwd })).stdout).toMatch(/1 deleted/)
  expect(Object.values(await textsOf('deep'))).toEqual(['Two.'])
})

test.runIf(process.platform === 'linux')(
  'a file whose name is not UTF-8 is named, and nothing is deleted then',
  async () => {
    const cwd = await folder({ 'a.md': 'A file.', 'b.md': 'Another.' })
    const words = ['ingest', 'bytes', 'docs', '--create']
    await commandLine(url, words, { cwd })
    await rm(join(cwd, 'docs/b.md'))
    await writeFile(Buffer.concat([Buffer.from(join(cwd, 'docs/c')), Buffer.of(0xff)]), 'A file.')
    const run = await commandLine(url, [...words, '--delete'], { cwd })
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^failed {2}docs\/c\ufffd has a name that is not UTF-8; rename it$/m,
      ),
    })
    expect(Object.keys(await textsOf('bytes')).toSorted()).toEqual(['a.md', 'b.md'])
  },
)

test('a file that the service refuses is named, and the others go on', async () => {
  const cwd = await folder({
    'bad.pdf': '%PDF-1.7 cut off',
    'good.txt': 'Good.',
    'huge.txt': new Uint8Array(maxFileBytes + 1),
    'long.txt': 'x'.repeat(8_388_609),
    'wide.txt': new Uint8Array(Buffer.from('Wide letters, and no mark.', 'utf16le')),
  })
  const { code, stdout, stderr } = await commandLine(
    url,
    ['ingest', 'refused', 'none', 'docs', '--create'],
    { cwd },
  )
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^2 new, 4 failed in/)])
  expect(stderr).toMatch(/^failed {2}none is not there$/m)
  expect(stderr).toMatch(/^failed {2}docs\/bad\.pdf /m)
  expect(stderr).toMatch(/^failed {2}docs\/huge\.txt is larger than 32 MiB$/m)
  expect(stderr).toMatch(/^failed {2}docs\/long\.txt is not taken: /m)
  expect(await textsOf('refused')).toEqual({
    'good.txt': 'Good.',
    'wide.txt': 'Wide letters, and no mark.',
  })
})

test('UTF-16 of Chinese and Japanese without a mark is read', async () => {
  const japanese = '図書館は9時に開きます。\u3000日曜日は休みです。'
  const chinese = '图书馆一周开放六天。书可以借四个星期，续借两次。还书时请到一楼的服务台。'
  const texts = { japanese, chinese, mixed: `${japanese}\n2. Sundays` }
  const files = Object.entries(texts).flatMap(([name, text]) => {
    const bytes = Buffer.from(text, 'utf16le')
    return [
      [`${name}-le.txt`, text, new Uint8Array(bytes)] as const,
      [`${name}-be.txt`, text, new Uint8Array(Buffer.from(bytes).swap16())] as const,
    ]
  })
  const cwd = await folder(Object.fromEntries(files.map(([name, , bytes]) => [name, bytes])))
  const { code, stderr } = await commandLine(url, ['ingest', 'wide', 'docs', '--create'], { cwd })
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('ignored')])
  expect(await textsOf('wide')).toEqual(Object.fromEntries(files))
})

test('what is no text is not sent where its first bytes say so, nor counted as failed', async () => {
  const marks = {
    'photo.jpg': '\xff\xd8\xff\xe0\0\x10JFIF',
    'song.mp3': 'ID3\x04\0\x01\x02\x03',
    'font.woff2': 'wOF2\0\x01\x02\x03',
    'all.7z': '7z\xbc\xaf\x27\x1c\0\x04',
    'list.db': 'SQLite format 3\0\x10\x01',
    program: '\x7fELF\x02\x01\x01\0',
    'zeros.bin': '\x01\x02\0\0'.repeat(2),
    'odd.bin': '\x01\0\0\x01'.repeat(2) + '\x01',
  }
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  const files = Object.entries(marks).map(([name, mark]) => [name, bytes(mark)] as const)
  const cwd = await folder({
    ...Object.fromEntries(files),
    'other.bin': bytes('\x01\0\0\x01'.repeat(2)),
    'a.md': 'A.',
  })
  const { code, stderr } = await commandLine(url, ['ingest', 'marks', 'docs', '--create'], { cwd })
  expect(code).toBe(0)
  for (const name of Object.keys(marks)) {
    expect(stderr).toContain(`docs/${name} is no text and no document`)
  }
  expect(stderr).toContain('docs/other.bin is not taken: ')
})

test(
  'Ctrl-C stops it on a terminal, which shows how far it is, and the next run goes on',
  { tags: 'deep' },
  async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${index}.md`)
    const cwd = await folder(Object.fromEntries(names.map((name) => [name, `Text of ${name}.`])))
    const gate = await openHoldingProxy(url, /^POST .*\/files\?/, 20)
    onTestFinished(gate.close)
    const words = ['ingest', 'stopped', 'docs', '--create']
    const run = new TerminalRun(gate.url, words, { cwd })
    await gate.held
    await expect.poll(() => run.text).toMatch(/20 of 40 files · \d+\/s · .*left/)
    run.pressCtrlC()
    expect(await run.code).toBe(130)
    expect(run.text).toMatch(/20 new in .* Run it again to go on\./)
    const { stdout } = await commandLine(url, words, { cwd })
    expect(stdout).toMatch(/^20 new, 20 unchanged in /)
    expect(Object.keys(await textsOf('stopped')).length).toBe(40)
  },
)

test('where nothing is there to ingest that is said, and the exit code is 1', async () => {
  const cwd = await folder({ 'picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]) })
  await symlink('/etc/hostname', join(cwd, 'docs/link.md'))
  await mkdir(join(cwd, 'empty'))
  const ingest = (...words: string[]) =>
    commandLine(url, ['ingest', 'nothing', '--create', ...words], { cwd })
  const nothing = 'nothing is ingested, and nothing deleted.'
  expect(await ingest('none/such')).toMatchObject({
    code: 1,
    stderr: `none/such is not there: ${nothing}\n`,
  })
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  expect(await ingest('pipe')).toMatchObject({
    code: 1,
    stderr: `pipe is no file: send what comes from a pipe by standard input, as -: ${nothing}\n`,
  })
  expect(await ingest('empty')).toMatchObject({ code: 1, stderr: `There is no file: ${nothing}\n` })
  expect(await ingest('docs', '--include', '*.md')).toMatchObject({
    code: 1,
    stderr: `No file matches: ${nothing}\n`,
  })
  const given = await ingest('docs/picture.png')
  expect([given.code, given.stderr]).toEqual([
    1,
    expect.stringMatching(/^failed {2}docs\/picture\.png is not taken: /),
  ])
})

test('of a folder, what a build made for browsers is left out', async () => {
  const code = 'export const hours = { opens: 9, closes: 17 }\n'
  const built = {
    'searchindex-44e31ac3.js': `Search.setIndex(["opens","nine"])`,
    'search/search_index.json': '{"docs": [{"text": "It opens at nine."}]}',
    'jquery.min.js': '!function(){}()',
    'app.js.map': '{"version": 3}',
    'bundle.js': code.replaceAll('\n', ';').repeat(100),
    'theme.css': 'a{b:c}'.repeat(100),
  }
  const kept = ['hours.js', 'long-line.md', 'data.json', 'research-index.json', 'floor.map']
  const own = Object.fromEntries(kept.map((path) => [path, code.trim()]))
  own['hours.js'] = code.repeat(20)
  own['long-line.md'] = 'The library opens at nine. '.repeat(40)
  const cwd = await folder({ ...built, ...own })
  const { code: exit, stderr } = await commandLine(url, ['ingest', 'site', 'docs', '--create'], {
    cwd,
  })
  const told = Object.keys(built).map(
    (path) => `ignored  docs/${path} is minified code, a source map or a search index`,
  )
  expect([exit, new Set(stderr.trim().split('\n'))]).toEqual([0, new Set(told)])
  expect(new Set(Object.keys(await textsOf('site')))).toEqual(new Set(kept))
  await commandLine(url, ['ingest', 'site', 'docs/jquery.min.js'], { cwd })
  expect(Object.keys(await textsOf('site'))).toContain('docs/jquery.min.js')
})

test('of a book that mdBook made, the page with all of it is left out', async () => {
  const page = (text: string) => `<!DOCTYPE HTML>
<html lang="en"><head>
        <!-- Book generated using mdBook --></head><body><p>${text}</p></body></html>`
  const cwd = await folder({
    'one.html': page('One.'),
    'print.html': page('One. Two.'),
    'own/print.html': '<p>Printers.</p>',
  })
  const { code, stderr } = await commandLine(url, ['ingest', 'mdbook', 'docs', '--create'], { cwd })
  const told = 'ignored  docs/print.html holds all pages of an mdBook again\n'
  expect([code, stderr]).toEqual([0, told])
  const keys = Object.keys(await textsOf('mdbook'))
  expect(keys.toSorted()).toEqual(['one.html', 'own/print.html'])
})

test('a path where the name of a new datastore stands makes none', async () => {
  const cwd = await folder({ 'hours.md': 'The library opens at nine.' })
  const run = await commandLine(url, ['ingest', './docs', 'docs', '--create'], { cwd })
  expect([run.code, run.stderr]).toEqual([
    1,
    '"./docs" is a path: name the datastore first, then what to put in.\n',
  ])
  await expect(idOf('./docs')).rejects.toThrow('There is no')
})

test('two that make a datastore of one name at once put into the same one', async () => {
  const { promise: both, resolve } = Promise.withResolvers<void>()
  let creates = 0
  const meeting = new AgentsDatastores({
    baseUrl: url,
    apiKey: testKey,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'POST') {
        creates += 1
        if (creates === 2) resolve()
        await both
      }
      return fetch(request)
    },
  })
  const [first, second] = await Promise.all(
    [1, 2].map(() => datastoreIdOrNew(meeting, 'race', true)),
  )
  expect([creates, second]).toEqual([2, first])
  const cwd = await folder({ 'hours.md': 'The library opens at nine.' })
  expect((await commandLine(url, ['ingest', 'race', 'docs', '--create'], { cwd })).code).toBe(0)
  expect((await client.getDatastore(first!)).datasourceCount).toBe(1)
})

test('what a busy server does not do in time is sent again, one at a time', async () => {
  const names = ['a.md', 'b.md', 'c.md', 'd.md']
  const cwd = await folder(Object.fromEntries(names.map((name) => [name, `Text of ${name}.`])))
  let [uploads, most, inHand] = [0, 0, 0]
  const busy = createServer((request, response) => {
    const isUpload = /\/files\?/.test(request.url ?? '')
    if (isUpload && ++uploads <= names.length) {
      request.resume().on('end', () => response.writeHead(504, problemHeaders).end(late))
      return
    }
    if (isUpload) most = Math.max(most, ++inHand)
    const { method = '', headers } = request
    const body = method === 'GET' ? null : (request as never)
    const sent = { method, headers: headers as never, body, duplex: 'half' }
    void fetch(`${url}${request.url}`, sent).then(async (answer) => {
      if (isUpload) inHand -= 1
      response.writeHead(answer.status, {
        'Content-Type': answer.headers.get('content-type') ?? '',
      })
      response.end(await answer.text())
    })
  }).listen(0, '127.0.0.1')
  await once(busy, 'listening')
  onTestFinished(() => void busy.close())
  const { port } = busy.address() as AddressInfo
  const words = ['ingest', 'busy', 'docs', '--create']
  const { code, stdout } = await commandLine(`http://127.0.0.1:${port}`, words, { cwd })
  expect([code, stdout, most]).toEqual([0, expect.stringMatching(/^4 new in /), 1])
})

const problemHeaders = { 'Content-Type': 'application/problem+json' }
const late = JSON.stringify({
  type: '/problems#timeout',
  title: 'Timeout',
  status: 504,
  detail: 'The request was not done in time.',
  instance: '/',
  code: 'timeout',
  requestId: 'req_1',
})

test('a server that is gone ends it at once, with what was done', async () => {
  const silent = await silentUrl()
  const cwd = await folder({ 'a.md': 'A.', 'b.md': 'B.' })
  const { code, stderr } = await commandLine(silent, ['ingest', 'any', 'docs'], {
    cwd,
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining(silent.slice(7))])
})

test('the largest file it reads is that of the contract', () => {
  const { requestBody } = document.paths['/datastores/{id}/files'].post
  expect(maxFileBytes).toBe(requestBody['x-max-bytes'])
})
