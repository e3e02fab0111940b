import { expect, onTestFinished, test, vi } from 'vitest'
import { AgentsDatastores, ConnectionError, UnexpectedAnswerError } from '../../client/src/index.ts'
import { silentUrl } from '../support/command-line.ts'
import { halfAnswer, page, startScripted, type Step } from '../support/scripted.ts'

const thrownBy = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable('It answered.'),
    (error: unknown) => error,
  )

test('who does not answer is named, with the reason', async () => {
  const baseUrl = await silentUrl()
  const error = await thrownBy(new AgentsDatastores({ baseUrl, maxRetries: 0 }).getLiveness())
  expect(error).toBeInstanceOf(ConnectionError)
  const { host } = new URL(baseUrl)
  expect(error).toHaveProperty(
    'message',
    `No answer came from ${baseUrl}: connect ECONNREFUSED ${host}`,
  )
})

test('a server that speaks no TLS is told', async () => {
  const { url } = await startScripted(halfAnswer)
  const baseUrl = url.replace('http:', 'https:')
  const error = await thrownBy(new AgentsDatastores({ baseUrl, maxRetries: 0 }).getLiveness())
  const message = `No answer came from ${baseUrl}: it speaks no TLS; try http://`
  expect(error).toHaveProperty('message', message)
})

test('a name of several addresses is told with the reason of the first', async () => {
  const baseUrl = (await silentUrl()).replace('127.0.0.1', 'localhost')
  const error = await thrownBy(new AgentsDatastores({ baseUrl, maxRetries: 0 }).getLiveness())
  expect(error).toHaveProperty('message', expect.stringContaining(`${baseUrl}: connect ECONNREF`))
})

const root = new Error('', { cause: 'none' })
const refused = Object.assign(root, { code: 'EPROTO' })
const inCircles = new Error('a circle')
inCircles.cause = new Error('of causes', { cause: inCircles })

test.each<[string, unknown, string]>([
  ['three errors down', new Error('a', { cause: new Error('b', { cause: refused }) }), 'EPROTO'],
  ['of several', new AggregateError([new Error('first'), new Error('second')], 'all'), 'first'],
  ['in a circle', inCircles, 'of causes'],
  ['no error', 'a word', 'a word'],
  ['none at all', new TypeError('Failed to fetch'), 'Failed to fetch'],
])('a cause that is %s is told', async (_, cause, told) => {
  const settings = { baseUrl: 'http://library.example', maxRetries: 0 }
  const client = new AgentsDatastores({ ...settings, fetch: () => Promise.reject(cause) })
  const error = await thrownBy(client.getLiveness())
  expect(error).toHaveProperty('message', `No answer came from http://library.example: ${told}`)
  expect(error).toHaveProperty('cause', cause)
})

test('an answer that breaks off is told apart from none', async () => {
  const { url } = await startScripted(halfAnswer)
  const error = await thrownBy(new AgentsDatastores({ baseUrl: url, maxRetries: 0 }).listAgents())
  expect(error).toHaveProperty(
    'message',
    expect.stringContaining(`The answer of ${url} broke off:`),
  )
})

const isForeign =
  "with something that is not the service's. Check baseUrl, and any proxy before it."
const redirect: Step = (_, response) => response.writeHead(302, { location: '/login?to=a' }).end()

test.each<[string, Step[], string]>([
  ['a page', [page(200)], `/v1/datastores/dst_1/datasources answered 200 ${isForeign}`],
  ['a page of an error', [page(404)], `/v1/datastores/dst_1/datasources answered 404 ${isForeign}`],
  ['a redirect', [redirect, page(200)], `/login answered 200 ${isForeign}`],
  [
    'a 304',
    [(_, response) => response.writeHead(304).end()],
    '/v1/datastores/dst_1/datasources answered 304: nothing has changed since If-None-Match.',
  ],
])('%s instead of an answer is told with its address, without a query', async (_, steps, told) => {
  const { url } = await startScripted(...steps)
  const client = new AgentsDatastores({ baseUrl: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
  const error = await thrownBy(client.listDatasources('dst_1', { source: 'private' }))
  expect(error).toBeInstanceOf(UnexpectedAnswerError)
  expect(error).toHaveProperty('message', url + told)
})

test('an answer of an own fetch is told with the address that was asked', async () => {
  const fetch = () => Promise.resolve(new Response('<h1>A page</h1>'))
  const client = new AgentsDatastores({ baseUrl: 'http://library.example', fetch, maxRetries: 0 })
  await expect(client.listAgents()).rejects.toThrow('http://library.example/agents answered 200')
})

test.each(['127.0.0.1:3000', 'localhost:3000', 'ftp://127.0.0.1', 'http:/x', 'http://', ''])(
  'the address "%s" is refused at once, with what to write',
  (baseUrl) => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    expect(() => new AgentsDatastores({ baseUrl, fetch })).toThrow(
      `baseUrl is "${baseUrl}". Write the whole address, such as http://127.0.0.1:3000`,
    )
    expect(fetch).not.toHaveBeenCalled()
  },
)

test('a wrong address of the environment is told by its name', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('SERVICE_URL', 'localhost:3000')
  expect(() => new AgentsDatastores()).toThrow('SERVICE_URL is "localhost:3000".')
})

test('a password in the address is refused, and not repeated', () => {
  const baseUrl = 'http://reader:secret@127.0.0.1:3000'
  expect(() => new AgentsDatastores({ baseUrl })).toThrow(/^(?!.*secret).*set apiKey/)
})
