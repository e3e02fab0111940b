import { styles, textOf } from '../test/support/hostile-texts.ts'
import { formOf, formType } from './file-form.ts'
import { filled, type Kind, mebibyte, type Sent } from './hostile-requests.ts'
import { headers, newDatastore, post, type Service, upsertPath } from './service.ts'

/** Requests that the contract takes, each with as much as it allows. */

const kind = (name: string, make: Kind['make'], count = 2): Kind => ({ name, count, make })

const sent = (
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Sent => ({
  path,
  method,
  headers,
  ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
})

const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))

/** The id of a datastore with documents, a few at a time. */
async function stored(service: Service, documents: object[], fields = {}): Promise<string> {
  const id = await newDatastore(service, fields)
  for (let start = 0; start < documents.length; start += 100) {
    await post(service, upsertPath(id), { documents: documents.slice(start, start + 100) })
  }
  return id
}

const longFragments = { fragmentLength: 8_000 }

async function agentOn(service: Service, datastore: string, knowledge = {}): Promise<string> {
  const { id } = await post<{ id: string }>(service, '/agents', { name: 'x', description: 'x' })
  const put = { datastoreIds: [datastore], ...knowledge }
  await post(service, `/agents/${id}/knowledge`, put, 'PUT')
  return id
}

const questions = Object.entries(styles).map(([name, style]) =>
  kind(`question of 8,192 characters, 32 fragments of ${name}`, async (service) => {
    const texts = many(32, () => ({ text: textOf(style) }))
    const agent = await agentOn(service, await stored(service, texts, longFragments), { topK: 32 })
    return sent(`/agents/${agent}/query`, { query: style.query })
  }),
)

const queries = Object.entries(styles).map(([name, style]) =>
  kind(`query of 8,192 characters, highlights in 100 fragments of ${name}`, async (service) => {
    const texts = many(100, () => ({ text: textOf(style) }))
    const id = await stored(service, texts, longFragments)
    const include = ['highlights', 'metadata', 'span']
    return sent(`/datastores/${id}/query`, { query: style.query, topK: 100, include })
  }),
)

const upsertOf = (name: string, documents: () => object[]): Kind =>
  kind(
    `upsert of ${name}`,
    async (service) => sent(upsertPath(await newDatastore(service)), { documents: documents() }),
    1,
  )

const numbers = (count: number): object =>
  Object.fromEntries(many(count, (n) => [n, (n + 1) * Math.PI]))
const tooLarge = { ...numbers(674), text: 'xxx' }
const flags = Object.fromEntries(many(1_450, (n) => [n, true]))

const writes: Kind[] = [
  upsertOf('60 documents, 674 numbers each', () =>
    many(60, () => ({ text: 'x', metadata: numbers(674) })),
  ),
  upsertOf('500 documents, 674 numbers each', () =>
    many(500, () => ({ text: 'x', metadata: numbers(674) })),
  ),
  upsertOf('1 MiB of text, 674 numbers', () => [
    { text: filled('The river runs. ', mebibyte), metadata: numbers(674) },
  ]),
  upsertOf('500 documents, metadata too large', () =>
    many(500, () => ({ text: 'x', metadata: tooLarge })),
  ),
  upsertOf('500 documents, 1,450 flags each', () =>
    many(500, () => ({ text: 'x', metadata: flags })),
  ),
  upsertOf('500 documents, all unknown members', () =>
    many(500, () => Object.fromEntries(many(15, (n) => [`texd${n}`, 1]))),
  ),
  upsertOf('500 documents of 32 KB', () =>
    many(500, (n) => ({ text: `${n} ${filled('The river runs by. ', 32_000)}` })),
  ),
  upsertOf('13 MiB of a table', () =>
    many(13, (n) => ({ text: `${n} ${filled('| a | b |\n', mebibyte - 10)}` })),
  ),
  upsertOf('15 MiB of compounds', () =>
    many(15, (n) => ({ text: `${n} ${filled('a-b.c_d/', mebibyte - 10)}` })),
  ),
  kind('rename of 1 MiB', async (service) => {
    const id = await newDatastore(service)
    const text = filled('The river runs by granite and copper. ', mebibyte)
    const [place] = (
      await post<{ ids: string[] }>(service, upsertPath(id), { documents: [{ text }] })
    ).ids
    return sent(`/datastores/${id}/datasources/${place}`, { name: 'new' }, 'PATCH')
  }),
]

const nested = (count: number): object => ({
  type: 'or',
  filters: many(64, (n) => ({
    type: 'in',
    key: `k${n}`,
    value: many(count, (one) => `value ${one}`),
  })),
})

const reads: Kind[] = [
  kind('filters of 64 times 1,000 values', async (service) => {
    const id = await stored(service, [{ text: 'The river runs.' }])
    return sent(`/datastores/${id}/query`, { query: 'river', filters: { metadata: nested(1_000) } })
  }),
  kind('filters of 64 times 150 values', async (service) => {
    const id = await stored(service, [{ text: 'The river runs.' }])
    return sent(`/datastores/${id}/query`, { query: 'river', filters: { metadata: nested(150) } })
  }),
  kind('a list of 100 with metadata of 16 KB', async (service) => {
    const documents = many(100, () => ({ text: 'x', metadata: { a: 'x'.repeat(16_000) } }))
    return sent(`/datastores/${await stored(service, documents)}/datasources?limit=100`)
  }),
  kind('a document of a million Chinese characters', async (service) => {
    const id = await newDatastore(service)
    const text = filled('河流经过花岗岩和铜。', 1_048_576)
    const { ids } = await post<{ ids: string[] }>(service, upsertPath(id), {
      documents: [{ text }],
    })
    return sent(`/datastores/${id}/datasources/${ids[0]}`)
  }),
  kind('a conversation of 40 messages with 32 sources', async (service) => {
    const texts = many(32, () => ({ text: textOf(styles.prose!) }))
    const id = await agentOn(service, await stored(service, texts, longFragments), { topK: 32 })
    let conversationId: string | undefined
    for (let turn = 0; turn < 20; turn++) {
      const question = { query: texts[turn]!.text.slice(0, 200), conversationId }
      const answer = await post<{ conversationId: string }>(
        service,
        `/agents/${id}/query`,
        question,
      )
      ;({ conversationId } = answer)
    }
    return sent(`/conversations/${conversationId}`)
  }),
  kind('search of an assistant in 32 datastores', async (service) => {
    const texts = many(48, () => ({ text: textOf(styles.prose!).slice(0, 1_900) }))
    for (let made = 0; made < 32; made++) await stored(service, texts)
    const call = { name: 'search', arguments: { query: styles.prose!.query, topK: 100 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const request = sent('/mcp', message)
    const accept = { Accept: 'application/json, text/event-stream' }
    return { ...request, headers: { ...headers, ...accept } }
  }),
]

const file = (name: string, type: string, bytes: () => Buffer<ArrayBuffer>): Kind =>
  kind(`file of ${name}`, async (service) => ({
    path: `/datastores/${await newDatastore(service)}/files`,
    headers: { ...headers, 'Content-Type': formType },
    body: formOf(bytes(), { type }),
  }))

const files: Kind[] = [
  file('4 MB of 0xE9 as HTML', 'text/html', () => Buffer.alloc(4_000_000, 0xe9)),
  file('4 MB of 0xE9 as text', 'text/plain', () => Buffer.alloc(4_000_000, 0xe9)),
  file('4 MB of Windows-1252', 'text/plain', () =>
    Buffer.alloc(4_000_000, 'the r\xe9sum\xe9. ', 'latin1'),
  ),
  file('4 MB of blanks and x', 'text/plain', () => Buffer.from(`${' '.repeat(4_000_000)}x`)),
  file('4 MB of no-break spaces', 'text/plain', () => Buffer.from('\u00a0'.repeat(2_000_000))),
  file('4 MB of UTF-16', 'text/plain', () =>
    Buffer.from(`\ufeff${'\u4e00x'.repeat(1_000_000)}`, 'utf16le'),
  ),
  file('4 MB of emoji', 'text/plain', () => Buffer.from('👍'.repeat(1_000_000))),
  file('4 MB of < as HTML', 'text/html', () => Buffer.from('<a'.repeat(2_000_000))),
  file('4 MB of GB 18030', 'text/html', () =>
    Buffer.concat([
      Buffer.from('<meta charset=gb18030>'),
      Buffer.alloc(4_000_000, '\xb0\xa1', 'latin1'),
    ]),
  ),
  file('32 MB of 0xE9 as HTML', 'text/html', () => Buffer.alloc(32_000_000, 0xe9)),
]

export const limitKinds: Kind[] = [...questions, ...queries, ...writes, ...reads, ...files]
