import { expect, onTestFinished, test, vi } from 'vitest'
import { AgentsDatastores, type CallOptions } from '../../client/src/index.ts'
import { answer, startScripted } from '../support/scripted.ts'

const agents = answer({ data: [], nextCursor: null })
const baseUrl = 'http://127.0.0.1:3000'
const Authorization = 'Basic c2VjcmV0'

test.each<[string, unknown, string]>([
  ['timeout', 0, 'timeout is 0: it has to be'],
  ['timeout', Number.NaN, 'timeout is NaN: it has to be'],
  ['timeout', '300', 'timeout is "300": it has to be'],
  ['timeout', null, 'timeout is null: it has to be'],
  ['maxRetries', -1, 'maxRetries is -1: it has to be'],
  ['maxRetries', 1.5, 'maxRetries is 1.5: it has to be'],
  ['maxRetries', '2', 'maxRetries is "2": it has to be'],
  ['logger', { info: () => undefined }, 'logger is an object: it has to have'],
  ['logger', 'console', 'logger is "console": it has to have'],
  ['fetch', baseUrl, `fetch is "${baseUrl}": it has to be`],
  ['baseUrl', 3000, 'baseUrl is 3000: it has to be'],
  ['baseURL', baseUrl, 'baseURL is no setting. There are baseUrl, apiKey,'],
])('the setting %s of %j is refused at once, by its name', (name, value, fault) => {
  const make = () => new AgentsDatastores({ [name]: value })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(fault)
})

test('a key that is no text is refused, and not repeated', () => {
  const apiKey = ['secret'] as never
  expect(() => new AgentsDatastores({ baseUrl, apiKey })).toThrow(/^(?!.*secret).*API key/)
})

test.each<[CallOptions, string]>([
  [{ timeout: -1 }, 'timeout is -1: it has to be'],
  [{ maxRetries: Number.NaN }, 'maxRetries is NaN: it has to be'],
])('%j of a call is refused by its name, and nothing is sent', async (options, fault) => {
  const { url, received } = await startScripted(agents)
  const call = new AgentsDatastores({ baseUrl: url }).listAgents({}, options)
  await expect(call).rejects.toThrow(fault)
  expect(received).toEqual([])
})

test('settings and options that are undefined count as absent', async () => {
  const { url } = await startScripted(agents)
  const absent = { timeout: undefined, maxRetries: undefined }
  const settings = { ...absent, fetch: undefined, logger: undefined, headers: undefined }
  const client = new AgentsDatastores({ ...settings, baseUrl: url })
  expect(await client.listAgents({}, absent)).toMatchObject({ data: [] })
})

test('the address may be a URL', async () => {
  const { url, received } = await startScripted(agents)
  await new AgentsDatastores({ baseUrl: new URL(url) }).listAgents()
  expect(received).toHaveLength(1)
})

test.each(['?', '/?key=secret', '#secret', '/v1#'])(
  'an address with "%s" at its end is refused with what to leave out, and not repeated',
  (end) => {
    const make = () => new AgentsDatastores({ baseUrl: baseUrl + end })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(/^(?!.*secret)baseUrl has a query or a fragment\. Leave out/)
  },
)

const noTwoKeys = /^(?!.*c2Vj)headers .*Authorization.* Set apiKey instead/

test.each(['Authorization', 'authorization'])('a key and the header %s are refused', (name) => {
  const headers = { [name]: Authorization }
  const make = () => new AgentsDatastores({ baseUrl, apiKey: 'key', headers })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(noTwoKeys)
})

test('a key of the environment and the header Authorization are refused, too', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('API_KEY', 'key')
  expect(() => new AgentsDatastores({ baseUrl, headers: { Authorization } })).toThrow(noTwoKeys)
})

test('the header Authorization of a call is refused beside a key, and sent without one', async () => {
  const { url, received } = await startScripted(agents)
  const options = { headers: { Authorization } } as CallOptions
  const keyed = new AgentsDatastores({ baseUrl: url, apiKey: 'key' })
  await expect(keyed.listAgents({}, options)).rejects.toThrow(noTwoKeys)
  expect(received).toEqual([])
  await new AgentsDatastores({ baseUrl: url, apiKey: '' }).listAgents({}, options)
  expect(received[0]!.headers.authorization).toBe(Authorization)
})
