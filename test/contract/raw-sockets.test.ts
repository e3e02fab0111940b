import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Agent } from '../../generated/types.gen.ts'
import { complaint, document } from '../support/contract.ts'
import {
  checkedClient,
  startServer,
  temporaryDirectory,
  type TestServer,
  testKey,
} from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'

type RawAnswer = { status: number; headers: Headers; body: string }

const server = await startServer()
const { client } = server

const agent = JSON.stringify({ name: 'Librarian', description: 'Answers questions.' })
const authorization = `Authorization: Bearer ${testKey}`
const json = 'Content-Type: application/json'

/** A request line and headers, with the Host that HTTP/1.1 demands. */
const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: localhost', ...headers, '', ''].join('\r\n')

const post = (...headers: string[]): string =>
  head('POST /agents HTTP/1.1', authorization, json, ...headers)

/** Everything a server answers to these bytes until it closes the connection. */
async function answersTo(
  { url }: Pick<TestServer, 'url'>,
  bytes: string,
  { halfClose = false } = {},
): Promise<RawAnswer[]> {
  const socket = connectTo(url)
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  if (halfClose) socket.end(bytes)
  else socket.write(bytes)
  await once(socket, 'close')
  return readAnswers(Buffer.concat(received))
}

function connectTo(url: string) {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

function readAnswers(bytes: Buffer): RawAnswer[] {
  if (bytes.length === 0) return []
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: (.*)/, 2) as [string, string]))
  const next = end + 4 + Number(headers.get('content-length') ?? 0)
  const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(line)?.[1])
  const answer = { status, headers, body: bytes.toString('utf8', end + 4, next) }
  return [answer, ...readAnswers(bytes.subarray(next))]
}

function expectProblem(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer?.status).toBe(status)
  const problem = JSON.parse(answer!.body)
  expect(complaint(document.components.schemas.Problem, problem)).toBeUndefined()
  expect(problem).toMatchObject({ status, code, type: `/problems#${code}` })
  expect(answer?.headers.get('x-request-id')).toBe(problem.requestId)
  expect(answer?.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer?.headers.get('cache-control')).toBe('no-store')
}

async function agents(): Promise<Agent[]> {
  const { data } = await sdk.listAgents({ client, query: { limit: 100 }, throwOnError: true })
  return data.data
}

afterEach(agents)

describe('what the parser refuses is answered with a Problem and a closed connection', () => {
  const kilobyte = 'x'.repeat(1024)
  const many = Array.from({ length: 33 }, (_, index) => `X-Header-${index}: ${kilobyte}`)
  const invalid = [400, 'invalid_request'] as const
  const tooLarge = [431, 'header_too_large'] as const

  test.each<[string, number, string, string]>([
    ['a bad request line', ...invalid, head('what is this')],
    ['bytes of another protocol', ...invalid, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', ...invalid, head('BREW /agents HTTP/1.1', authorization)],
    ['a method in small letters', ...invalid, head('get /agents HTTP/1.1', authorization)],
    ['a header without a colon', ...invalid, head('GET /agents HTTP/1.1', 'Authorization')],
    ['raw UTF-8 in the path', ...invalid, head('GET /agents/é€ HTTP/1.1', authorization)],
    ['one header over 32 KiB', ...tooLarge, post(`X-Long: ${kilobyte.repeat(32)}`)],
    ['headers over 32 KiB together', ...tooLarge, post(...many)],
    ['a path over 32 KiB', ...tooLarge, head(`GET /${kilobyte.repeat(32)} HTTP/1.1`)],
    [
      'Content-Length beside Transfer-Encoding',
      ...invalid,
      `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'two different Content-Lengths',
      ...invalid,
      post(`Content-Length: ${agent.length}`, 'Content-Length: 7') + agent,
    ],
    ['a bad chunk size', ...invalid, `${post('Transfer-Encoding: chunked')}zz\r\n${agent}\r\n`],
    ['an Expect it does not know', 417, 'expectation_failed', post('Expect: nonsense')],
    ['CONNECT', 404, 'unknown_path', head('CONNECT elsewhere.example:443 HTTP/1.1')],
  ])('%s: %i %s', async (_, status, code, bytes) => {
    const answers = await answersTo(server, bytes)
    expect(answers).toHaveLength(1)
    expectProblem(answers[0], status, code)
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  test('a method in small letters is told the one that is meant', async () => {
    const [answer] = await answersTo(server, head('get /agents HTTP/1.1', authorization))
    expect(answer?.body).toContain('HTTP has no method get; did you mean GET?')
  })

  test('a wrong method behind a right request is not named', async () => {
    const right = head('GET /health/live HTTP/1.1')
    const answers = await answersTo(server, `${right}BREW /agents HTTP/1.1\r\n\r\n`)
    expectProblem(answers.at(-1), 400, 'invalid_request')
  })

  test('an Expect it does not know is answered with the path that was asked for', async () => {
    const [answer] = await answersTo(
      server,
      head('GET /agents/a%20b?x=1 HTTP/1.1', 'Expect: nonsense'),
    )
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status: 417, instance: '/agents/a%20b' })
  })

  test.each([
    ['as it is', post('Transfer-Encoding: chunked')],
    ['with Expect', post('Transfer-Encoding: chunked', 'Expect: 100-continue')],
  ])(
    'what breaks in its body is answered with the path that was asked for: %s',
    async (_, start) => {
      const answers = await answersTo(server, `${start.replace('/agents', '/agents?x=1')}zz\r\n`)
      expect(JSON.parse(answers.at(-1)!.body)).toMatchObject({ status: 400, instance: '/agents' })
    },
  )

  test.each([
    ['a body', post(`Content-Length: ${agent.length}`) + agent.slice(0, -1), '/agents'],
    [
      'a chunk',
      `${post('Transfer-Encoding: chunked')}${agent.length.toString(16)}\r\n{`,
      '/agents',
    ],
    ['a head', head('GET /agents HTTP/1.1').slice(0, -2), '/'],
  ])('%s cut short: 400, and nothing is made', async (_, bytes, instance) => {
    const before = await agents()
    const answers = await answersTo(server, bytes, { halfClose: true })
    expect(answers).toHaveLength(1)
    expectProblem(answers[0], ...invalid)
    expect(JSON.parse(answers[0]!.body).instance).toBe(instance)
    expect(await agents()).toEqual(before)
  })
})

describe.concurrent('a request that does not arrive whole in time: 408', async () => {
  const hasty = await startServer({ requestTimeout: 1 })

  test.each([
    ['silence', ''],
    ['half a head', head('GET /agents HTTP/1.1').slice(0, -2)],
    ['half a body', post(`Content-Length: ${agent.length}`) + agent.slice(0, -1)],
  ])('%s', async (_, bytes) => {
    const answers = await answersTo(hasty, bytes)
    expect(answers.map(({ status }) => status)).toEqual([408])
    expectProblem(answers[0], 408, 'client_timeout')
    expect(answers[0]?.headers.get('connection')).toBe('close')
    // What works may take longer than a second, too.
    await vi.waitFor(() => sdk.listAgents({ client: hasty.client, throwOnError: true }), 60_000)
  })

  test('half a body: its answer has the requestId of its line in the log', async () => {
    const bytes = post(`Content-Length: ${agent.length}`) + agent.slice(0, -1)
    const [answer] = await answersTo(hasty, bytes)
    const id = answer?.headers.get('x-request-id')
    expect(JSON.parse(answer!.body).requestId).toBe(id)
    await expect.poll(() => hasty.logged.map(({ requestId }) => requestId)).toContain(id)
  })

  test.each([['keep-alive'], ['close']])(
    'a body that was refused before, with Connection: %s: its only answer is the refusal',
    async (connection) => {
      const half = head(
        'POST /agents HTTP/1.1',
        json,
        'Content-Length: 9',
        `Connection: ${connection}`,
      )
      const answers = await answersTo(hasty, `${half}{`)
      expect(answers.map(({ status }) => status)).toEqual([401])
    },
  )
})

test.each([
  ['without Host', ''],
  ['with two Hosts', 'Host: localhost\r\nHost: other.example\r\n'],
])('HTTP/1.1 %s: 400 naming it', async (_, hosts) => {
  const bytes = `GET /agents HTTP/1.1\r\n${hosts}${authorization}\r\nConnection: close\r\n\r\n`
  const [answer] = await answersTo(server, bytes)
  expectProblem(answer, 400, 'invalid_request')
  expect(JSON.parse(answer!.body).errors).toMatchObject([{ pointer: '/header/host' }])
})

describe('a whole URL as the target', () => {
  const get = (target: string) =>
    answersTo(server, head(`GET ${target} HTTP/1.1`, authorization, 'Connection: close'))

  test('is answered as its path', async () => {
    const [answer] = await get('http://elsewhere.example/agents?limit=100')
    expect(answer?.status).toBe(200)
    expect(JSON.parse(answer!.body)).toEqual({ data: await agents(), nextCursor: null })
    const [refused] = await get('http://elsewhere.example/agents?limit=0')
    expectProblem(refused, 400, 'invalid_request')
  })

  test('400 where it is no URL', async () => {
    const [answer] = await get('http://[::1/agents')
    expectProblem(answer, 400, 'invalid_request')
  })
})

describe('a refusal reaches a client that closes the connection, while its body is still arriving', () => {
  const bytes = 5_000_000
  const first = 'x'.repeat(100_000)
  const sized = `Content-Length: ${bytes}`
  const close = 'Connection: close'
  const chunked = head(
    'POST /keys HTTP/1.1',
    authorization,
    json,
    'Transfer-Encoding: chunked',
    close,
  )
  const text = 'Content-Type: text/plain'

  test.each<[string, number, string, string, string]>([
    [
      'without a key',
      401,
      'unauthenticated',
      head('POST /agents HTTP/1.1', json, sized, close),
      '',
    ],
    [
      'for an unknown path',
      404,
      'unknown_path',
      head('POST /x HTTP/1.1', authorization, json, sized, close),
      '',
    ],
    ['too large', 413, 'payload_too_large', post(sized, close), ''],
    [
      'too large, by HTTP/1.0',
      413,
      'payload_too_large',
      post(sized).replace('HTTP/1.1', 'HTTP/1.0'),
      '',
    ],
    [
      'too large, in chunks',
      413,
      'payload_too_large',
      `${chunked}${bytes.toString(16)}\r\n`,
      '\r\n0\r\n\r\n',
    ],
    [
      'of another type',
      415,
      'unsupported_media_type',
      head('POST /agents HTTP/1.1', authorization, text, sized, close),
      '',
    ],
  ])('%s: %i %s', async (_, status, code, start, end) => {
    const socket = connectTo(server.url)
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk))
    socket.write(start + first)
    await once(socket, 'data')
    socket.write('x'.repeat(bytes - first.length) + end)
    await once(socket, 'close')
    const answers = readAnswers(Buffer.concat(received))
    expect(answers).toHaveLength(1)
    expectProblem(answers[0], status, code)
  })
})

describe('Expect: 100-continue', () => {
  const expecting = (...headers: string[]) =>
    head(
      'POST /agents HTTP/1.1',
      json,
      `Content-Length: ${agent.length}`,
      'Expect: 100-continue',
      'Connection: close',
      ...headers,
    )

  test('without a key the body is not asked for: 401', async () => {
    const answers = await answersTo(server, expecting())
    expect(answers).toHaveLength(1)
    expectProblem(answers[0], 401, 'unauthenticated')
  })

  test('with a key the body is asked for, and then taken', async () => {
    const socket = connectTo(server.url)
    socket.write(expecting(authorization))
    const [first] = await once(socket, 'data')
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk))
    socket.write(agent)
    await once(socket, 'close')
    expect(readAnswers(Buffer.concat(received)).map(({ status }) => status)).toEqual([201])
  })
})

test('a refusal does not take the place of the answer to the request before it', async () => {
  const answers = await answersTo(
    server,
    `${post(`Content-Length: ${agent.length}`)}${agent}and what no length covers\r\n\r\n`,
  )
  // To close without an answer is honest, too; 400 would say that no agent was made.
  expect([201, undefined]).toContain(answers[0]?.status)
})

describe('a client that breaks the connection instead of waiting for its refusal', () => {
  // In a process of its own, for an error that nobody listens to ends it.
  let own: ServerProcess
  beforeAll(async () => {
    own = await spawnServer({ DATA_URI: await temporaryDirectory(), INITIAL_KEY: testKey })
    return () => own.kill('SIGKILL')
  })

  test.each([
    ['a bad request line', head('what is this')],
    ['an Expect it does not know', post('Expect: nonsense')],
    ['CONNECT', head('CONNECT elsewhere.example:443 HTTP/1.1')],
  ])('%s: the server goes on', async (_, bytes) => {
    const { url, process } = own
    for (let round = 0; round < 20 && process.exitCode === null; round++) {
      const socket = connectTo(url)
      socket.write(bytes, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await sdk.listAgents({ client: checkedClient(url), throwOnError: true })
    expect(process.exitCode).toBeNull()
  })
})
