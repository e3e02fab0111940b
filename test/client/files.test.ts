import { createReadStream, openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AgentsDatastores, type FileSource } from '../../client/src/index.ts'
import { HastyClient } from '../support/hasty-client.ts'
import { answer, refuse, startScripted } from '../support/scripted.ts'
import { joinServer, temporaryDirectory, testKey } from '../support/server.ts'

const { url } = await joinServer()
const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
const { id } = await client.createDatastore({ name: 'library' })

const text = 'The library opens at nine — ever since.'
const bytes = Buffer.from(text)
const path = join(await temporaryDirectory(), 'hours 1.md')
await writeFile(path, text)

async function* generated(): AsyncGenerator<string | Uint8Array> {
  yield text.slice(0, 30)
  yield Buffer.from(text.slice(30))
}

const sources: [string, () => FileSource | Promise<FileSource>, string][] = [
  ['a path', () => ({ path }), 'hours 1.md'],
  ['a stream of a file', () => createReadStream(path), 'hours 1.md'],
  ['a File', () => new File([bytes], 'opening.md'), 'opening.md'],
  ['a File without a name', () => new File([bytes], ''), ''],
  ['a Blob', () => new Blob([bytes]), ''],
  ['what openAsBlob gives', () => openAsBlob(path), ''],
  ['a Buffer', () => bytes, ''],
  ['an ArrayBuffer', () => new Uint8Array(bytes).buffer, ''],
  ['memory that threads share', () => shared(), ''],
  ['a stream of Node.js', () => Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]), ''],
  ['a stream of the web', () => new Blob([bytes]).stream(), ''],
  ['a stream as Node.js types it', () => streamOfNode(), ''],
  ['a generator', generated, ''],
]

function shared(): Uint8Array {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length))
  memory.set(bytes)
  return memory
}

const streamOfNode = () =>
  new NodeStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(bytes))
      controller.close()
    },
  })

test.each(sources)(
  '%s is uploaded whole, with its name or the one that is given',
  async (_, make, name) => {
    const own = await client.uploadFile(id, { file: await make() })
    expect(own.name).toBe(name)
    const given = await client.uploadFile(id, {
      file: await make(),
      name: 'Hours',
      metadata: { lang: 'en' },
    })
    expect(given).toMatchObject({ name: 'Hours', metadata: { lang: 'en' } })
    const put = await client.putFile(id, 'hours.md', await make())
    expect(put).toMatchObject({ key: 'hours.md', name: 'hours.md' })
    for (const stored of [own, given, put]) {
      expect((await client.getDatasource(id, stored.id)).text).toBe(text)
    }
  },
)

test('metadata of a put and a filter are an object or its JSON', async () => {
  const lang = { lang: 'sv' }
  for (const metadata of [lang, JSON.stringify(lang)]) {
    const put = await client.putFile(id, 'hours.sv', bytes, { name: 'Timmar', metadata })
    expect(put).toMatchObject({ name: 'Timmar', metadata: lang })
  }
  const filter = { type: 'eq', key: 'lang', value: 'sv' } as const
  expect((await client.listDatasources(id, { filter })).data).toMatchObject([{ key: 'hours.sv' }])
  expect(await client.deleteDatasources(id, { filter })).toEqual({ deleted: 1 })
})

test('the name of nameless bytes tells their kind', async () => {
  const page = Buffer.from('<p>It opens <b>at nine</b>.</p>')
  const nameless = await client.uploadFile(id, { file: page, name: 'hours.html' })
  const file = await client.uploadFile(id, { file: new File([page], 'hours.html') })
  const texts = [nameless, file].map(async (one) => (await client.getDatasource(id, one.id)).text)
  const [first, second] = await Promise.all(texts)
  expect(first).toBe(second)
  const { id: guessed } = await client.uploadFile(id, { file: page })
  expect((await client.getDatasource(id, guessed)).text).not.toBe(first)
})

const done = answer({ id: 'src_1' }, 201)
const overloaded = refuse(503, 'overloaded', { 'retry-after': '0' })
/** A form without its boundary, which each try makes anew. */
const settled = (body: string): string => body.replaceAll(/-{4,}[\w-]+/g, '')

test.each([
  ['a stream', () => Readable.from([bytes])],
  ['a stream of the web', () => new Blob([bytes]).stream()],
  ['a path', () => ({ path })],
])('%s that is sent again is sent again whole', async (_, make) => {
  const { url: baseUrl, received } = await startScripted(overloaded, overloaded, done)
  await new HastyClient({ baseUrl }).uploadFile('dst_1', { file: make() })
  expect(received.map(({ body }) => settled(body))).toEqual(
    [1, 2, 3].map(() => expect.stringContaining(text)),
  )
  const put = await startScripted(overloaded, done)
  await new HastyClient({ baseUrl: put.url }).putFile('dst_1', 'hours', make())
  expect(put.received.map(({ body }) => body)).toEqual([text, text])
})

async function* broken(): AsyncGenerator<string> {
  yield 'The library opens'
  throw new Error('The disk is gone.')
}

test.each<[string, () => unknown, string]>([
  ['a stream that breaks', broken, 'The disk is gone.'],
  ['a path to nothing', () => ({ path: join(path, '../none') }), 'ENOENT'],
  ['a path to a folder', () => ({ path: join(path, '..') }), 'EISDIR'],
  ['a text', () => text, 'of a text make new Blob([text])'],
  ['a number', () => 1, '{ path:'],
  ['nothing', () => undefined, '{ path:'],
  ['null', () => null, '{ path:'],
  ['a stream of objects', () => Readable.from([{ text }]), 'one of objects'],
])('of %s nothing is sent, and the fault is told', async (_, make, fault) => {
  const { url: baseUrl, received } = await startScripted(done)
  const far = new AgentsDatastores({ baseUrl })
  await expect(far.uploadFile('dst_1', { file: make() as never })).rejects.toThrow(fault)
  await expect(far.putFile('dst_1', 'hours', make() as never)).rejects.toThrow(fault)
  expect(received).toEqual([])
})

test('a stream without end is given up after what a file may have', async () => {
  const piece = new Uint8Array(1024 * 1024)
  let pieces = 0
  let isClosed = false
  const endless = async function* () {
    try {
      for (;;) {
        pieces += 1
        yield piece
      }
    } finally {
      isClosed = true
    }
  }
  await expect(client.putFile(id, 'endless', endless())).rejects.toThrow('more than 32 MiB')
  expect([pieces, isClosed]).toEqual([33, true])
})

test('an abort ends an upload whose stream is silent, and the stream at its next piece', async () => {
  const reason = new Error('The reader has left.')
  const uploading = new AbortController()
  const pause = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const silent = async function* () {
    try {
      yield text
      uploading.abort(reason)
      await pause.promise
      yield text
    } finally {
      closed.resolve()
    }
  }
  const { url: baseUrl, received } = await startScripted(done)
  const { signal } = uploading
  const upload = new AgentsDatastores({ baseUrl }).putFile('dst_1', 'a', silent(), {}, { signal })
  await expect(upload).rejects.toBe(reason)
  pause.resolve()
  await closed.promise
  expect(received).toEqual([])
})

test('where there is no disk a path is refused with what to give', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('process', undefined)
  const refused = client.uploadFile(id, { file: { path } })
  vi.unstubAllGlobals()
  await expect(refused).rejects.toThrow('give a File or bytes instead')
})
