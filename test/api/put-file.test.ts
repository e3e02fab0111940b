import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { docxOf } from '../support/documents/packages.ts'
import { pdfOf } from '../support/documents/pdf.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'

const { client, url } = await joinServer()
const id = await makeDatastore(client)

const octets = 'application/octet-stream'
const put = (key: string, body: string | Uint8Array, type = octets, search = '') =>
  send(url, 'PUT', `/datastores/${id}/files/${encodeURIComponent(key)}${search}`, {
    body,
    headers: { 'content-type': type },
  })

const textOf = async (key: string) =>
  (await sdk.getDocument({ client, path: { id, key }, throwOnError: true })).data.text

describe('201 and 200', () => {
  test('the body itself is the file, with the rest in the query', async () => {
    const rest = { name: 'Hours', metadata: '{"lang":"en"}' }
    for (const [type, status] of [
      [octets, 201],
      [`${octets}; charset=us-ascii`, 200],
      ['', 200],
    ] as const) {
      const response = await put('a/b', 'At nine.', type, `?${new URLSearchParams(rest)}`)
      const location = response.headers.get('location')
      expect([response.status, location]).toEqual([status, `/datastores/${id}/documents/a%2Fb`])
      expect(await response.json()).toMatchObject({
        name: 'Hours',
        key: 'a/b',
        metadata: { lang: 'en' },
      })
      expect(await textOf('a/b')).toBe('At nine.')
    }
  })

  test('a file of another kind is read, and has its key as its name and no metadata', async () => {
    const body = new Blob([new Uint8Array(docxOf(['The library opens at nine.']))])
    const path = { id, key: 'hours.docx' }
    const { data } = await sdk.putFile({ client, path, body, throwOnError: true })
    expect(data).toMatchObject({ name: 'hours.docx', metadata: null, fragmentCount: 1 })
    expect(await textOf('hours.docx')).toBe('The library opens at nine.')
  })

  test('pages of a PDF that have no text are told', async () => {
    const body = new Blob([new Uint8Array(pdfOf([['One.'], []]))])
    const path = { id, key: 'scan.pdf' }
    const { data } = await sdk.putFile({ client, path, body, throwOnError: true })
    expect(data.pagesWithoutText).toEqual([2])
  })

  test('the encoding that a text was read in is told, and none of other files', async () => {
    const bytes = (name: string) =>
      new Uint8Array(readFileSync(join(import.meta.dirname, '../files/cases', name)))
    const encodingOf = async (key: string, content: BlobPart) => {
      const path = { id, key }
      const body = new Blob([content])
      const { data } = await sdk.putFile({ client, path, body, throwOnError: true })
      const { data: stored } = await sdk.getDocument({ client, path, throwOnError: true })
      expect(stored.encoding).toBe(data.encoding)
      return data.encoding
    }
    expect(await encodingOf('plain.txt', 'The library opens at nine.')).toBe('utf-8')
    expect(await encodingOf('a.csv', bytes('csv-polish-1250.csv'))).toBe('windows-1250')
    expect(await encodingOf('a.html', bytes('html-charset-past-1024.html'))).toBe('windows-1251')
    expect(await encodingOf('a.docx', bytes('docx-link.docx'))).toBeUndefined()
    const path = { id, key: 'written' }
    const body = { text: 'No file at all.' }
    const { data } = await sdk.putDocument({ client, path, body, throwOnError: true })
    expect(data.encoding).toBeUndefined()
  })

  test('the length of metadata is in characters, as the contract says', async () => {
    const metadata = { a: '😀'.repeat(2_200) }
    const search = `?${new URLSearchParams({ metadata: JSON.stringify(metadata) })}`
    const response = await put('emoji', 'At nine.', octets, search)
    expect([response.status, await response.json()]).toMatchObject([201, { metadata }])
  })

  test('metadata of null is none', async () => {
    const response = await put('null', 'Some text.', octets, '?metadata=null')
    expect([response.status, await response.json()]).toMatchObject([201, { metadata: null }])
  })
})

test('412: a file whose key has one already, or that has changed', async () => {
  const path = { id, key: 'once' }
  const body = new Blob(['One.'])
  const first = await sdk.putFile({ client, path, body, headers: { 'If-None-Match': '*' } })
  expect(first.response?.status).toBe(201)
  for (const headers of [{ 'If-None-Match': '*' }, { 'If-Match': '"0"' }] as const) {
    const { error } = await sdk.putFile({ client, path, body: new Blob(['Two.']), headers })
    expect(error).toMatchObject({ status: 412, code: 'precondition_failed' })
  }
  expect(await textOf('once')).toBe('One.')
})

test.each([
  ['a form', '--x--', 'multipart/form-data; boundary=x'],
  ['what a client made of a file by mistake', '[object File]', 'text/plain;charset=UTF-8'],
  ['JSON', '{}', 'application/json'],
])('415: %s', async (_, body, type) => {
  const response = await put('form', body, type)
  expect([response.status, await response.json()]).toMatchObject([
    415,
    { detail: 'Send the file itself as Content-Type: application/octet-stream.' },
  ])
})

test('a charset beside the type is that of the text, and the key tells HTML from Markdown', async () => {
  const latin = Buffer.from('Die Bücherei öffnet um neun.', 'latin1')
  await put('latin.txt', latin, `${octets}; charset=iso-8859-1`)
  expect(await textOf('latin.txt')).toBe('Die Bücherei öffnet um neun.')
  await put('page.html', '<p>At <b>nine</b>.')
  expect(await textOf('page.html')).toBe('At nine.')
})

describe('400', () => {
  test.each([
    ['no JSON', '{', 'must be an object as JSON'],
    ['a number', '1', 'must be an object or null'],
    ['an empty list', '[]', 'must be an object or null'],
    ['a list', '[1]', 'must be an object or null'],
    ['too long', 'x'.repeat(5_000), 'must NOT have more than 4096 characters'],
  ])('metadata that is %s', async (_, metadata, detail) => {
    const search = `?${new URLSearchParams({ metadata })}`
    const response = await put('a', 'At nine.', octets, search)
    const { errors } = (await response.json()) as { errors: object[] }
    expect([response.status, errors]).toEqual([400, [{ pointer: '/query/metadata', detail }]])
  })

  test('no file', async () => {
    const response = await put('a', '')
    expect([response.status, await placesOf(response)]).toEqual([400, ['']])
  })
})

test.each(['metadata=%7B%22a%22:%22%E9%22%7D', 'name=caf%E9', 'caf%E9=1'])(
  '400: %s is no UTF-8, and is not stored as something else',
  async (search) => {
    const response = await put('latin1', 'At nine.', octets, `?${search}`)
    const [name] = search.split('=')
    const place = name === 'caf%E9' ? '/query/' : `/query/${name}`
    expect([response.status, await placesOf(response)]).toEqual([400, [place]])
  },
)

test('201: U+FFFD, a plus and a percent sign that stands for itself are those of the name', async () => {
  const response = await put('signs', 'At nine.', octets, '?name=%EF%BF%BD+100%&')
  expect([response.status, (await response.json()).name]).toEqual([201, '\ufffd 100%'])
})
