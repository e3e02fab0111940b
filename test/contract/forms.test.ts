import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { forms, type SentForm } from '../support/broken-forms.ts'
import { seedFor } from '../support/random.ts'
import { placesOf, send } from '../support/raw.ts'
import { checkedClient, joinServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore } from '../support/things.ts'

const { FORMS_RUNS, FORMS_PATH } = process.env
const count = Number(FORMS_RUNS ?? 500)
const atOnce = 10
const seed = seedFor('FORMS', FORMS_RUNS !== undefined)
/** Reads of a form come before its datastore is looked up, so most are sent to none. */
const unknown = 'dst_000000000000000000000000'

const post = (url: string, id: string, { type, body }: SentForm): Promise<Response> =>
  send(url, 'POST', `/datastores/${id}/files`, { body, headers: { 'content-type': type } })

test(
  `of ${count} forms of a grammar each is answered as the contract says, and the server goes on`,
  { timeout: 120_000 + 100 * count },
  async () => {
    const server = await spawnServer({
      DATA_URI: await temporaryDirectory(),
      INITIAL_KEY: testKey,
      LOG_LEVEL: 'error',
    })
    onTestFinished(() => server.kill('SIGKILL'))
    const id = await makeDatastore(checkedClient(server.url))
    const statuses = new Map<number, number>()
    const sent = fc.tuple(forms, fc.constantFrom(unknown, id))
    const together = fc.array(sent, { minLength: atOnce, maxLength: atOnce })
    await fc.assert(
      fc.asyncProperty(together, async (all) => {
        const answers = await Promise.all(all.map(([form, to]) => post(server.url, to, form)))
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(Math.max(...statuses.keys())).toBeLessThan(500)
        expect([server.process.exitCode, server.errors()]).toEqual([null, ''])
      }),
      // A server that has ended would fail all smaller forms too.
      {
        numRuns: count / atOnce,
        seed,
        endOnFailure: true,
        ...(FORMS_PATH && { path: FORMS_PATH }),
      },
    )
    const live = await send(server.url, 'GET', '/health/live')
    expect(live.status).toBe(200)
    // Sound and broken ones both.
    for (const status of [201, 400, 404]) expect(statuses.get(status)).toBeGreaterThan(count / 100)
  },
)

const part = (head: string, text: string) => `--x\r\n${head}\r\n\r\n${text}\r\n`
const file = 'Content-Disposition: form-data; name="file"; filename="a.md"'
const boundary = (name: string) => `multipart/form-data; boundary=${name}`
const { url } = await joinServer()

test.each([
  ['a malformed header and no closing boundary', '--x\r\nBAD\r\n\r\nhello'],
  ['a malformed header after a sound part', `${part(file, 'At nine.')}--x\r\nBAD\r\n\r\n`],
  ['a header without a name', '--x\r\n: a\r\n\r\nhello'],
  ['a header that is too long', `--x\r\nA: ${'a'.repeat(20_000)}\r\n\r\nhello`],
  ['a bare line feed in a header', '--x\r\nA: b\nC: d\r\n\r\nhello'],
  ['an end in the middle of a header', '--x\r\nContent-Dispo'],
  ['an end in the middle of a file', part(file, 'At').slice(0, -2)],
  [
    'a head that ends with the next part',
    `--x\r\n${file}\r\n\r\n--x\r\n${'--b\r\n'.repeat(5_000)}--x--`,
  ],
  ['an end after a file', part(file, 'At nine.')],
  ['a file and too many other parts', part(file, 'At nine.') + part('A: b', '').repeat(100)],
  [
    'a text in a charset that nobody knows',
    `${part('Content-Disposition: form-data; name="metadata"\r\nContent-Type: text/plain; charset=none', '{}')}--x--`,
  ],
  ['a large file and a malformed header', `${part(file, 'a'.repeat(300_000))}--x\r\nBAD\r\n\r\n`],
])('a form with %s is refused once, and nothing else hears of it', async (_, body) => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('uncaughtException', hear).on('unhandledRejection', hear)
  onTestFinished(() => {
    process.off('uncaughtException', hear).off('unhandledRejection', hear)
  })
  const refused = await post(url, unknown, { type: boundary('x'), body: Buffer.from(body) })
  expect([refused.status, await placesOf(refused)]).toEqual([400, ['']])
  // Whatever it leaves behind comes before the answer to the next request.
  expect((await send(url, 'GET', '/health/live')).status).toBe(200)
  expect(unheard).toEqual([])
})

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`

const encodedAs = (encoding: string) =>
  `is sent in the Content-Transfer-Encoding ${encoding}; send its bytes as they are`

test.each([
  ['a key in Latin-1', part(named('key'), 'café'), '/key', 'is not UTF-8'],
  ['metadata in Latin-1', part(named('metadata'), '{"a":"é"}'), '/metadata', 'is not UTF-8'],
  [
    'metadata of Latin-1 in a file',
    part(`${named('metadata')}; filename="m.json"`, '{"a":"é"}'),
    '/metadata',
    'is not UTF-8',
  ],
  [
    'metadata that are cut',
    part(named('metadata'), `{"a":"${'b'.repeat(70_000)}"}`),
    '/metadata',
    'must not be larger than 65536 bytes',
  ],
  [
    'metadata in Base64',
    part(`${named('metadata')}\r\nContent-Transfer-Encoding: BASE64`, 'e30='),
    '/metadata',
    encodedAs('base64'),
  ],
  [
    'metadata as quoted-printable in a file',
    part(`${named('metadata')}; filename="m"\r\ncontent-transfer-encoding:quoted-printable`, '{}'),
    '/metadata',
    encodedAs('quoted-printable'),
  ],
])('a form with %s is told where', async (_, other, pointer, detail) => {
  const body = latin1(`${part(file, 'At nine.')}${other}--x--`)
  const refused = await post(url, unknown, { type: boundary('x'), body })
  expect([refused.status, (await refused.json()).errors]).toEqual([400, [{ pointer, detail }]])
})

test('a name of a file in Latin-1 is told, and one with U+FFFD is taken', async () => {
  const id = await makeDatastore(checkedClient(url))
  const head = file.replace('a.md', 'café.md')
  const broken = latin1(`${part(head, 'At nine.')}--x--`)
  const refused = await post(url, id, { type: boundary('x'), body: broken })
  expect([refused.status, await placesOf(refused)]).toEqual([400, ['/file']])
  const odd = Buffer.from(`${part(file.replace('a.md', '\ufffd.md'), 'At nine.')}--x--`)
  const taken = await post(url, id, { type: boundary('x'), body: odd })
  expect([taken.status, (await taken.json()).name]).toEqual([201, '\ufffd.md'])
})

test('the charset of a file is its own, not that of metadata in another file', async () => {
  const client = checkedClient(url)
  const id = await makeDatastore(client)
  const metadata = `${named('metadata')}; filename="m.json"\r\nContent-Type: application/json`
  const head = `${file}\r\nContent-Type: text/plain; charset=windows-1251`
  const parts = `${part(metadata, '{"a":1}')}${part(head, '\xd6\xe5\xed\xe0')}--x--`
  const taken = await post(url, id, { type: boundary('x'), body: latin1(parts) })
  const { id: datasourceId } = await taken.json()
  const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
  expect(data).toMatchObject({ text: 'Цена', encoding: 'windows-1251' })
})

test('a file in Base64 is told to be sent as it is, and one whose bytes are as they are is taken', async () => {
  const id = await makeDatastore(checkedClient(url))
  const send64 = (encoding: string) =>
    post(url, id, {
      type: boundary('x'),
      body: latin1(
        `${part(`${file}\r\nContent-Transfer-Encoding: ${encoding}`, 'QXQgbmluZS4=')}--x--`,
      ),
    })
  const refused = await send64('base64')
  expect([refused.status, (await refused.json()).errors]).toEqual([
    400,
    [{ pointer: '/file', detail: encodedAs('base64') }],
  ])
  for (const encoding of ['binary', '8bit', '7bit'])
    expect((await send64(encoding)).status).toBe(201)
})

test('what comes after the end of a form is left out', async () => {
  const id = await makeDatastore(checkedClient(url))
  const after = `\r\n--x\r\n--x\r\n${file}\r\n\r\nAt ten.`
  const taken = Buffer.from(`${part(file, 'At nine.')}--x--${after}`)
  expect((await post(url, id, { type: boundary('x'), body: taken })).status).toBe(201)
  const empty = Buffer.from(`--x--${after}`)
  expect((await post(url, id, { type: boundary('x'), body: empty })).status).toBe(400)
})

test.each([
  ['71 characters', 'b'.repeat(71), '71'],
  ['8,000 characters', 'b'.repeat(8_000), '8000'],
  ['no character', '""', '0'],
  ['100 characters in quotes', `"${'b '.repeat(50)}"`, '100'],
])(
  'a boundary of %s is refused, and the answer says how long one may be',
  async (_, name, length) => {
    const body = Buffer.from('--x--')
    const refused = await post(url, unknown, { type: boundary(name), body })
    expect(refused.status).toBe(400)
    const problem = await refused.json()
    expect(problem.errors).toEqual([
      {
        pointer: '/header/content-type',
        detail: `has a boundary of ${length} characters; RFC 2046 allows 1 to 70`,
      },
    ])
  },
)

test('a boundary of 70 characters, a repeated one and odd ones in quotes are taken', async () => {
  const id = await makeDatastore(checkedClient(url))
  for (const [name, type] of [
    ['b'.repeat(70), boundary('b'.repeat(70))],
    ["'()+_,-./:=?", boundary(`"'()+_,-./:=?"`)],
    ['x', `${boundary('x')}; boundary=${'y'.repeat(200)}`],
  ] as const) {
    const body = Buffer.from(`--${name}\r\n${file}\r\n\r\nAt nine.\r\n--${name}--`)
    expect((await post(url, id, { type, body })).status).toBe(201)
  }
})
