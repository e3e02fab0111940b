import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Problem } from '../../generated/types.gen.ts'
import { checkAnswer } from '../support/contract-fetch.ts'
import { document, type Json, type Operation, operations } from '../support/contract.ts'
import { formStart, formType } from '../support/form.ts'
import {
  allWrong,
  exampleOf,
  isLong,
  type Limit,
  limitsOf,
  roundsOf,
  type Sent,
  takesLongText,
  together,
} from '../support/limits.ts'
import { placesOf, send } from '../support/raw.ts'
import { startServer, testKey } from '../support/server.ts'
import {
  exampleIds,
  exampleKey,
  makeThings,
  named,
  replaced,
  takesForm,
  takesJson,
  withIds,
} from '../support/requests.ts'

/** Everything here is derived from the contract: a limit added to it is tested by this file. */

const { client, url } = await startServer()

let things = await makeThings(client)

async function sendTo(operation: Operation, sent: Sent): Promise<Response> {
  const { path, body, headers } = toRequest(operation, sent)
  const response = await send(url, operation.method, path, {
    ...(body !== undefined && { body }),
    headers,
  })
  if (response.ok) things = await replaced(client, things, operation)
  return response
}

/** How the request goes over the wire. */
function toRequest({ path }: Operation, sent: Sent) {
  const filled: Sent = JSON.parse(withIds(JSON.stringify(sent), things))
  const query = new URLSearchParams(asStrings(filled.query))
  const way = Object.entries(asStrings(filled.path)).reduce(
    (result, [name, value]) => result.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  // White space between values counts towards no limit of theirs.
  const body = filled.body === undefined ? undefined : JSON.stringify(filled.body, null, 1)
  return {
    path: query.size > 0 ? `${way}?${query}` : way,
    headers: asStrings(filled.header),
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
  if (place.at(-1) === 'If-None-Match' && method === 'PUT') return [412]
  return [200, 201]
}

/** Only the service knows which of the texts that the contract allows are cursors it made, or filters. */
const isOpaque = ({ place }: Limit): boolean => ['cursor', 'filter'].includes(place.at(-1) ?? '')

/** Only the service knows which datastores there are; it names each that is not. */
const namesDatastores = ({ place }: Limit): boolean => place.includes('datastoreIds')

/** Whether it is answered like an example. */
const isPlain = (operation: Operation, limit: Limit): boolean =>
  answersTo(operation, limit).includes(201) && !isOpaque(limit) && !namesDatastores(limit)

/** What is not taken as a whole is tried limit by limit, so that a failure names it. */
async function expectAllTaken(operation: Operation, limits: Limit[]): Promise<void> {
  const { plain = [], others = [] } = Object.groupBy(limits, (limit) =>
    isPlain(operation, limit) ? 'plain' : 'others',
  )
  for (const round of roundsOf(plain, 'edge')) {
    const isTaken = round.length > 1 && (await sendTo(operation, together(round, 'edge'))).ok
    if (!isTaken) others.push(...round)
  }
  for (const limit of others) await expectTaken(operation, limit)
}

/** The same for what is past limits. */
async function expectAllRefused(operation: Operation, limits: Limit[]): Promise<void> {
  for (const round of roundsOf(limits, 'past')) {
    const expected = [400, round.map(({ pointer }) => pointer).toSorted()]
    const refusal = async (sent: Sent) => {
      const response = await sendTo(operation, sent)
      return [response.status, await distinctPlacesOf(response)]
    }
    const isAsExpected =
      round.length > 1 && isDeepStrictEqual(await refusal(together(round, 'past')), expected)
    if (isAsExpected) continue
    for (const { title, past, pointer } of round) {
      expect.soft(await refusal(past!), `past ${title}`).toEqual([400, [pointer]])
    }
  }
}

/** What is wrong with the answer to a request at the edge of a limit. */
async function expectTaken(operation: Operation, limit: Limit): Promise<void> {
  const response = await sendTo(operation, limit.edge!)
  const message = `takes ${limit.title}`
  if (response.status !== 400) {
    expect.soft(answersTo(operation, limit), message).toContain(response.status)
    return
  }
  const places = await distinctPlacesOf(response)
  if (isOpaque(limit)) expect.soft(places, message).toEqual([limit.pointer])
  else if (namesDatastores(limit)) {
    expect
      .soft(
        places.filter((one) => !/^\/datastoreIds\/\d+$/.test(one)),
        message,
      )
      .toEqual([])
  } else expect.soft(places, message).toBeUndefined()
}

test.each(named(operations))(
  '%s takes what is at a limit, and refuses and names what is past one, and all that is wrong',
  async (_, operation) => {
    const limits = limitsOf(operation)
    // Other operations have put documents under keys that are at a limit.
    if (operation.path.includes('{key}')) things = await makeThings(client)
    const short = limits.filter((limit) => limit.edge && !isLong(limit))
    await expectAllTaken(operation, short)
    const withPast = limits.filter(({ past }) => past)
    await expectAllRefused(operation, withPast)
    if (withPast.length === 0) return
    for (const fault of ['past a limit', 'of another type'] as const) {
      const { sent, pointers } = allWrong(operation, fault)
      const response = await sendTo(operation, sent)
      // Where nothing is told apart, nothing is wrong.
      const expected = [pointers.length > 0 ? 400 : 200, pointers.toSorted()]
      const got = [response.status, await distinctPlacesOf(response)]
      expect.soft(got, `everything is ${fault}`).toEqual(expected)
    }
  },
)

test.each(named(operations.filter(takesLongText)))(
  '%s takes the longest texts there may be',
  { tags: 'deep' },
  async (_, operation) => {
    things = await makeThings(client)
    for (const limit of limitsOf(operation).filter(isLong)) await expectTaken(operation, limit)
  },
)

const withBody = operations.filter(({ requestBody }) => requestBody)
const maxBytesOf = ({ requestBody }: Operation): number => Number(requestBody?.['x-max-bytes'])
const tooLarge = (maxBytes: number) => {
  const mebibytes = maxBytes / 2 ** 20
  const size = Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${maxBytes} bytes`
  return [413, expect.stringContaining(` ${size}, `)]
}

/** What is answered to the head of a request whose body would have so many bytes. */
function announce(operation: Operation, bytes: number): Promise<unknown[]> {
  const { method } = operation
  const { path } = toRequest(operation, exampleOf(operation))
  const headers = {
    authorization: `Bearer ${testKey}`,
    'content-type': typeOf(operation),
    'content-length': bytes,
    expect: '100-continue',
  }
  const sent = request(url + path, { method, headers })
  return new Promise((resolve, reject) => {
    sent.once('continue', () => resolve([100]))
    sent.once('response', (answer) => {
      json(answer).then((body) => resolve([answer.statusCode, (body as Problem).detail]), reject)
    })
    sent.once('error', reject)
    sent.flushHeaders()
  }).finally(() => sent.destroy()) as Promise<unknown[]>
}

test.each(named(withBody))(
  '%s asks for a body of its most bytes, and for none of one more',
  async (_, operation) => {
    const maxBytes = maxBytesOf(operation)
    expect(await announce(operation, maxBytes)).toEqual([100])
    expect(await announce(operation, maxBytes + 1)).toEqual(tooLarge(maxBytes))
  },
)

const typeOf = (operation: Operation): string =>
  takesForm(operation) ? formType : Object.keys(operation.requestBody!.content)[0]!

const page = '<html><p>A page with a long comment.</p><!--'

/** An example and white space, that many bytes together. */
async function sendBytes(operation: Operation, bytes: number, framing: string): Promise<Response> {
  const { method } = operation
  const { path, body = '' } = toRequest(operation, exampleOf(operation))
  const [type, start, end] = takesJson(operation)
    ? [typeOf(operation), body, '']
    : takesForm(operation)
      ? [typeOf(operation), `${formStart}${page}`, '-->\r\n--form--']
      : [typeOf(operation), page, '-->']
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

const ofEachSize = [...Map.groupBy(withBody, maxBytesOf).values()].map(([operation]) => operation!)

test.each(named(ofEachSize))(
  '%s takes a body of its most bytes, and not of one more, by its length or in chunks',
  { tags: 'deep' },
  async (_, operation) => {
    const maxBytes = maxBytesOf(operation)
    for (const framing of ['Content-Length', 'chunks']) {
      // A file that large takes long to read.
      if (takesJson(operation) || framing === 'chunks') {
        const taken = await sendBytes(operation, maxBytes, framing)
        expect([200, 201], framing).toContain(taken.status)
        things = await replaced(client, things, operation)
      }
      const refused = await sendBytes(operation, maxBytes + 1, framing)
      const { status, detail } = (await refused.json()) as Problem
      expect([status, detail], framing).toEqual(tooLarge(maxBytes))
    }
  },
)

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
