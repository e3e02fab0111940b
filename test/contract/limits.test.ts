import { describe, expect, test } from 'vitest'
import type { Problem } from '../../generated/types.gen.ts'
import { checkAnswer } from '../support/contract-fetch.ts'
import { document, type Json, type Operation, operations } from '../support/contract.ts'
import {
  allWrong,
  exampleOf,
  type Fault,
  type Limit,
  limitsOf,
  type Sent,
} from '../support/limits.ts'
import { placesOf, send } from '../support/raw.ts'
import { startServer, testKey } from '../support/server.ts'
import { exampleIds, exampleKey, makeThings, takesJson, withIds } from '../support/requests.ts'

/** Everything here is derived from the contract: a limit added to it is tested by this file. */

const { client, url } = await startServer()

const shared = await makeThings(client)

/** A change of an agent alters no other answer here; one of a document may. */
const changesOthers = (path: string, method: string): boolean =>
  method === 'DELETE' || (['PUT', 'PATCH'].includes(method) && !path.startsWith('/agents'))

/** The text with ids of things that are there: of its own where it may change what others find. */
const filled = async (text: string, own: boolean): Promise<string> =>
  withIds(text, own ? await makeThings(client) : shared)

async function sendTo(operation: Operation, sent: Sent, isTaken = false): Promise<Response> {
  const { path, body, headers } = await toRequest(operation, sent, isTaken)
  return send(url, operation.method, path, { ...(body !== undefined && { body }), headers })
}

/** How the request goes over the wire. */
async function toRequest({ path, method }: Operation, sent: Sent, isTaken: boolean) {
  const own = isTaken && changesOthers(path, method)
  const fresh: Sent = JSON.parse(await filled(JSON.stringify(sent), own))
  const query = new URLSearchParams(asStrings(fresh.query))
  const way = Object.entries(asStrings(fresh.path)).reduce(
    (result, [name, value]) => result.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  // White space between values counts towards no limit of theirs.
  const body = fresh.body === undefined ? undefined : JSON.stringify(fresh.body, null, 1)
  return {
    path: query.size > 0 ? `${way}?${query}` : way,
    headers: asStrings(fresh.header),
    body,
  }
}

const asStrings = (members: { [name: string]: Json }): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))

/** The places it names, each once, for one may break several rules. */
const distinctPlacesOf = async (response: Response): Promise<string[]> =>
  [...new Set(await placesOf(response))].toSorted()

/** What a request at the edge of a limit may be answered with. */
function answersTo({ method }: Operation, { place, example }: Limit): number[] {
  // In the place of an id there stands one that never was.
  if (Object.values(exampleIds).includes(String(example))) return [404]
  if (place.at(-1) === 'conversationId') return [404]
  if (example === exampleKey && method !== 'PUT') return [404]
  if (place.at(-1) === 'If-Match') return [200, 412]
  return [200, 201]
}

/** Only the service knows which of the texts that the contract allows are cursors it made, or filters. */
const isOpaque = ({ place }: Limit): boolean => ['cursor', 'filter'].includes(place.at(-1) ?? '')

/** Only the service knows which datastores there are; it names each that is not. */
const namesDatastores = ({ place }: Limit): boolean => place.includes('datastoreIds')

const named = (some: Operation[]) =>
  some.map((operation) => [operation.operationId, operation] as const)
const titled = (limits: Limit[]) => limits.map((limit) => [limit.title, limit] as const)

describe.each(named(operations))('%s', (_, operation) => {
  const limits = limitsOf(operation)

  test.each(titled(limits.filter(({ edge }) => edge)))('takes %s', async (_title, limit) => {
    const response = await sendTo(operation, limit.edge!, true)
    if (isOpaque(limit) && response.status === 400) {
      expect(await distinctPlacesOf(response)).toEqual([limit.pointer])
    } else if (namesDatastores(limit) && response.status === 400) {
      const places = await distinctPlacesOf(response)
      expect(places.filter((one) => !/^\/datastoreIds\/\d+$/.test(one))).toEqual([])
    } else {
      expect(answersTo(operation, limit)).toContain(response.status)
    }
  })

  test.each(titled(limits.filter(({ past }) => past)))(
    'refuses and names what is past %s',
    async (_title, { past, pointer }) => {
      const response = await sendTo(operation, past!)
      expect([response.status, await distinctPlacesOf(response)]).toEqual([400, [pointer]])
    },
  )

  test.runIf(limits.some(({ past }) => past)).each<Fault>(['past a limit', 'of another type'])(
    'names all of it when everything is %s',
    async (fault) => {
      const { sent, pointers } = allWrong(operation, fault)
      const response = await sendTo(operation, sent)
      // Where nothing is told apart, nothing is wrong.
      expect([response.status, await distinctPlacesOf(response)]).toEqual([
        pointers.length > 0 ? 400 : 200,
        pointers.toSorted(),
      ])
    },
  )
})

const withBody = operations.filter(({ requestBody }) => requestBody)

describe.each(named(withBody))('%s', (_, operation) => {
  const maxBytes = Number(operation.requestBody?.['x-max-bytes'])

  /** An example and white space, that many bytes together. */
  async function sendBytes(bytes: number, framing: string): Promise<Response> {
    const { method } = operation
    const { path, body = '' } = await toRequest(operation, exampleOf(operation), true)
    const [type, start, end] = takesJson(operation)
      ? ['application/json', body, '']
      : ['text/html', '<html><p>A page with a long comment.</p><!--', '-->']
    const padded = start + ' '.repeat(bytes - Buffer.byteLength(start + end)) + end
    const headers = { 'content-type': type }
    if (framing === 'Content-Length') return send(url, method, path, { body: padded, headers })
    const authorization = `Bearer ${testKey}`
    const response = await fetch(url + path, {
      method,
      headers: { authorization, ...headers },
      body: new Blob([padded]).stream(),
      duplex: 'half',
    } as RequestInit)
    await checkAnswer(method, path, response.clone())
    return response
  }

  test.each(['Content-Length', 'chunks'])(
    `takes a body of ${maxBytes} bytes, and not of one more, with %s`,
    async (framing) => {
      expect([200, 201]).toContain((await sendBytes(maxBytes, framing)).status)
      const refused = await sendBytes(maxBytes + 1, framing)
      const { status, detail } = (await refused.json()) as Problem
      expect([status, detail]).toEqual([413, expect.stringContaining(` ${maxBytes} bytes`)])
    },
  )
})

test('as many violations are named as the contract allows', async () => {
  const { maxItems } = document.components.schemas.Problem.properties.errors
  const [operation] = withBody
  const unknownMembers = (count: number): Sent => {
    const members = Array.from({ length: count }).map((_, index) => [`nonsense${index}`, index])
    const example = exampleOf(operation!)
    return { ...example, body: { ...(example.body as object), ...Object.fromEntries(members) } }
  }
  for (const count of [maxItems, maxItems + 1]) {
    const response = await sendTo(operation!, unknownMembers(count))
    expect([response.status, await distinctPlacesOf(response)]).toEqual([
      400,
      expect.toSatisfy((places: string[]) => places.length === maxItems),
    ])
  }
})
