import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { FragmentDetail, type UploadFile } from '../../generated/types.gen.ts'
import { docxOf } from '../support/documents/packages.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, query } from '../support/things.ts'

const { client, url } = await joinServer()

const fileOf = (bytes: string | Buffer, name: string): File =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)

const upload = (id: string, body: UploadFile) => sdk.uploadFile({ client, path: { id }, body })

describe('201', () => {
  test('a file is a datasource with its name and metadata, and is found by the next query', async () => {
    const id = await makeDatastore(client)
    const metadata = { source_url: 'https://library.example/hours', custom_id: ['main', 7] }
    const file = fileOf(docxOf(['The library opens at nine.']), 'hours.docx')
    const { data, response } = await upload(id, { file, name: 'Opening hours', metadata })
    expect(response?.status).toBe(201)
    expect(data).toMatchObject({ key: null, name: 'Opening hours', metadata, fragmentCount: 1 })
    expect(response?.headers.get('location')).toBe(`/datastores/${id}/datasources/${data?.id}`)
    const [found] = await query(client, id, { query: 'When does the library open?' })
    expect(found).toMatchObject({ datasource_id: data?.id, source: metadata.source_url })
  })

  test('a text that is longer than one that is sent as JSON is one datasource', async () => {
    const id = await makeDatastore(client)
    const line = (n: number) =>
      `Line ${n} of a novel in which ships go by and hardly anybody looks.\n`
    const text = Array.from({ length: 20_000 }, (_, n) => line(n)).join('')
    const body = { file: fileOf(`${text}At last the lighthouse burns.`, 'novel.txt'), key: 'novel' }
    const { data, response } = await upload(id, body)
    expect([response?.status, data?.fragmentCount]).toEqual([201, expect.any(Number)])
    const [found] = await query(client, id, { query: 'lighthouse', topK: 1 })
    expect(found).toMatchObject({
      datasource_id: data?.id,
      text: expect.stringMatching(/burns\.$/),
    })
    const path = { id, datasourceId: data?.id ?? '' }
    const { data: stored } = await sdk.deleteDatasource({ client, path, throwOnError: true })
    expect(stored.text).toHaveLength(text.length + 29)
    expect(await query(client, id, { query: 'lighthouse' })).toEqual([])
  })

  test('the name of the file is the name where none is sent, and a nameless one has none', async () => {
    const id = await makeDatastore(client)
    const nameOf = async (body: UploadFile) => (await upload(id, body)).data?.name
    expect(await nameOf({ file: fileOf('Text.', 'Größe 九.md') })).toBe('Größe 九.md')
    expect(await nameOf({ file: fileOf('Text.', 'a'.repeat(300)) })).toBe('a'.repeat(256))
    expect(await nameOf({ file: fileOf('Text.', 'a.md'), name: '' })).toBe('')
    expect(await nameOf({ file: new Blob(['Text.']) })).toBe('')
  })

  test('metadata may be sent as a file of JSON, as some clients do', async () => {
    const id = await makeDatastore(client)
    const form = new FormData()
    form.append('file', fileOf('At nine.', 'a.md'))
    form.append('metadata', new Blob(['{"lang":"en"}'], { type: 'application/json' }))
    const body = form as unknown as UploadFile
    const sent = { client, path: { id }, body, bodySerializer: () => form }
    expect((await sdk.uploadFile(sent)).data?.metadata).toEqual({ lang: 'en' })
  })

  test('metadata of null is none', async () => {
    const id = await makeDatastore(client)
    const body = '{"file":"Some text.","metadata":null}'
    const response = await send(url, 'POST', `/datastores/${id}/files`, { body })
    expect([response.status, await response.json()]).toMatchObject([201, { metadata: null }])
  })

  test('a field of metadata that is empty is none, as browsers send it', async () => {
    const id = await makeDatastore(client)
    const form = new FormData()
    form.append('file', fileOf('At nine.', 'a.md'))
    form.append('metadata', '')
    const body = form as unknown as UploadFile
    const sent = { client, path: { id }, body, bodySerializer: () => form }
    expect((await sdk.uploadFile(sent)).data?.metadata).toBeNull()
  })

  test('of a PDF with short pages each is found, and quoted by its number', async () => {
    const id = await makeDatastore(client)
    const bytes = readFileSync(join(import.meta.dirname, '../files/cases/pages-short.pdf'))
    const { data } = await upload(id, { file: fileOf(bytes, 'pages-short.pdf') })
    const { pages = [] } = data ?? {}
    expect([pages.length, data?.pagesWithoutText]).toEqual([4, [3]])
    const path = { id, datasourceId: data?.id ?? '' }
    const { data: stored } = await sdk.getDatasource({ client, path, throwOnError: true })
    expect(stored.pages).toEqual(pages)
    expect(stored.text.slice(pages[3])).toContain('spoon')
    const agent = await makeLearnedAgent(client, [])
    const asked = { client, path: { id: agent.agent } }
    await sdk.putKnowledge({ ...asked, body: { datastoreIds: [id] }, throwOnError: true })
    for (const [thing, page] of Object.entries({ kettle: 1, lantern: 2, spoon: 4 })) {
      const body = { query: thing, include: [FragmentDetail.SPAN] }
      const [found] = await query(client, id, body)
      expect(found?.span?.page).toBe(page)
      // A fragment ends where its page does.
      expect(found?.text.match(/kettle|lantern|spoon/g)).toEqual([thing])
      const question = { query: `Where is the ${thing}?` }
      const { data: given } = await sdk.queryAgent({ ...asked, body: question, throwOnError: true })
      expect([given.sources[0]?.page, given.citations[0]?.quote.page]).toEqual([page, page])
    }
  })

  test('of a PDF the page is told where a fragment begins, also under another name, and none of another text', async () => {
    const id = await makeDatastore(client)
    const pages = [
      'Bicycles are kept in the yard.',
      'Umbrellas are kept at the desk.',
      'Coats hang.',
    ]
    const texts = pages.map((text) => [
      { text, size: 18 },
      ...Array(40).fill(`${text} Nothing else is.`),
    ])
    const { data } = await upload(id, { file: fileOf(pdfOf(texts), 'house.pdf') })
    const datasourceId = data?.id ?? ''
    const pageOf = async (text: string) => {
      const body = { query: text, include: [FragmentDetail.SPAN] }
      return (await query(client, id, body))[0]?.span?.page
    }
    const expectPages = async (expected: (number | undefined)[]) =>
      expect([await pageOf('bicycles'), await pageOf('umbrellas'), await pageOf('coats')]).toEqual(
        expected,
      )
    await expectPages([1, 2, 3])
    const path = { id, datasourceId }
    await sdk.patchDatasource({ client, path, body: { name: 'The house' }, throwOnError: true })
    await expectPages([1, 2, 3])
    const update = { id: datasourceId, text: pages.join(' ') }
    await sdk.updateDatasource({
      client,
      path: { datastoreId: id },
      body: update,
      throwOnError: true,
    })
    await expectPages([undefined, undefined, undefined])
  })
})

describe('200', () => {
  test('a file with a key replaces the one before, also when many come at the same time', async () => {
    const id = await makeDatastore(client)
    const put = (text: string) => upload(id, { file: fileOf(text, 'hours.md'), key: 'hours' })
    const answers = await Promise.all(['One.', 'Two.', 'Three.', 'Four.'].map(put))
    const statuses = answers.map(({ response }) => response?.status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1)
    await put('Five.')
    const path = { id, key: 'hours' }
    const { data } = await sdk.getDocument({ client, path, throwOnError: true })
    expect(data).toMatchObject({ text: 'Five.', name: 'hours.md', key: 'hours' })
    expect(await query(client, id, { query: 'One Two Three Four' })).toHaveLength(1)
  })
})

test('201: a name is as the file has it, whatever a form escapes', async () => {
  const id = await makeDatastore(client)
  const body = { file: new File(['At nine.'], 'the "old" 50%\n%41.md') }
  const { data } = await sdk.uploadFile({ client, path: { id }, body, throwOnError: true })
  expect(data.name).toBe('the "old" 50%\n%41.md')
})

describe('400', () => {
  const boundary = 'multipart/form-data; boundary=x'
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const file = part('name="file"; filename="a.md"', 'At nine.')

  test.each([
    ['no file', `${part('name="name"', 'x')}--x--`, boundary, ['/file']],
    ['a field in its place', `${part('name="file"', 'x')}--x--`, boundary, ['/file']],
    ['two files', `${file}${file}--x--`, boundary, ['/file']],
    ['a part that nobody knows', `${file}${part('name="pages"', '1')}--x--`, boundary, ['/pages']],
    [
      'metadata that is no JSON',
      `${file}${part('name="metadata"', '{')}--x--`,
      boundary,
      ['/metadata'],
    ],
    [
      'metadata that is no object',
      `${file}${part('name="metadata"', '1')}--x--`,
      boundary,
      ['/metadata'],
    ],
    [
      'metadata that is nested too deep',
      `${file}${part('name="metadata"', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`)}--x--`,
      boundary,
      ['/metadata/a/0/0'],
    ],
    [
      'a number that would not come back',
      `${file}${part('name="metadata"', '{"a":[1e400]}')}--x--`,
      boundary,
      ['/metadata/a/0'],
    ],
    ['a form that is cut off', file.slice(0, -8), boundary, ['']],
    ['a form without its boundary', file, 'multipart/form-data', ['']],
    ['many parts', `${file.repeat(40)}--x--`, boundary, ['']],
    ['a form that is none', 'At nine.', boundary, ['']],
    ['nothing', '', 'text/plain', ['']],
  ])('%s', async (_, body, type, places) => {
    const id = await makeDatastore(client)
    const headers = { 'content-type': type }
    const response = await send(url, 'POST', `/datastores/${id}/files`, { body, headers })
    expect([response.status, await placesOf(response)]).toEqual([400, places])
  })
})

test('415: a file that is sent without a form', async () => {
  const path = `/datastores/${await makeDatastore(client)}/files`
  const headers = { 'content-type': 'text/plain;charset=UTF-8' }
  const response = await send(url, 'POST', path, { body: '[object Object]', headers })
  expect([response.status, await response.json()]).toMatchObject([
    415,
    { detail: 'Send the file as multipart/form-data, or PUT it under a key as it is.' },
  ])
})
