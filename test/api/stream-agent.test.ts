import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { streamAgent } from '../../generated/stream-agent.gen.ts'
import type { AgentAnswer } from '../../generated/types.gen.ts'
import {
  beginEvents,
  type ChatBehaviour,
  recordedChunks,
  sendAnswer,
  standInAnswer,
  toEvent,
} from '../support/chat-answers.ts'
import { makeLibrarian, messagesOf, question, stream } from '../support/librarian.ts'
import { Provider, recordedError, sendJson } from '../support/provider.ts'
import { readEvents } from '../support/raw-events.ts'
import { checkedClient, joinServer, startServer, testKey } from '../support/server.ts'

const provider = await Provider.start()
const { client, url } = await startServer({ chat: provider.chat })
const id = await makeLibrarian(client)
const offline = await joinServer()
const offlineId = await makeLibrarian(offline.client)

function holdClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Lets the stand-in say the first words, and the rest once it is released. */
function holdProvider() {
  const released = Promise.withResolvers<void>()
  const behaviour: ChatBehaviour = async (call, response) => {
    const texts = recordedChunks(call).map(toEvent)
    beginEvents(response)
    response.write(texts.slice(0, 4).join(''))
    await released.promise
    response.end(texts.slice(4).join(''))
  }
  provider.chatBehaviour = behaviour
  onTestFinished(() => {
    released.resolve()
    provider.chatBehaviour = undefined
  })
  return released
}

const withoutIds = ({ conversationId: _c, visitorId: _v, messageId: _m, ...rest }: AgentAnswer) =>
  rest

test.each([
  ['a chat model', client, id, standInAnswer],
  ['sentences of the documents', offline.client, offlineId, expect.stringContaining('nine')],
])('events of %s come in order, and are what JSON is', async (_, asked, agentId, answer) => {
  const { events } = await stream(asked, agentId, { visitorId: 'order' })
  const done = events.at(-1)
  if (done?.type !== 'done') throw new Error('There is no end.')
  expect(done.answer.answer).toEqual(answer)

  const deltas = events.flatMap((event) => (event.type === 'answer' ? event.delta : []))
  expect(deltas.join('')).toBe(done.answer.answer)
  const citations = events.flatMap((event) => (event.type === 'citation' ? event.citation : []))
  expect(citations).toEqual(done.answer.citations)
  expect(events[0]).toEqual({ type: 'sources', sources: done.answer.sources })
  // A citation comes after the words that it is of.
  let length = 0
  for (const event of events) {
    if (event.type === 'answer') length += event.delta.length
    if (event.type === 'citation') expect(event.citation.end).toBeLessThanOrEqual(length)
  }

  const path = { id: agentId }
  const { data } = await sdk.queryAgent({ client: asked, path, body: { query: question } })
  expect(withoutIds(data!)).toEqual(withoutIds(done.answer))
  const [, answered] = await messagesOf(asked, agentId, 'order')
  const { answer: content, ...details } = withoutIds(done.answer)
  expect(answered).toMatchObject({ id: done.answer.messageId, content, ...details })
})

describe('what goes wrong before the first event is thrown as the Problem', () => {
  test.each([
    ['404', 'agt_5f0d2c9be1a84c7d93b6a1f2', {}, client, 'not_found'],
    ['400', id, { query: '' }, client, 'invalid_request'],
    ['401', id, {}, checkedClient(url, 'no-key-of-this-server-0123456789'), 'unauthenticated'],
  ])('%s', async (status, agentId, body, asked, code) => {
    const { events, problem } = await stream(asked, agentId, body)
    expect(events).toEqual([])
    expect(problem).toMatchObject({ status: Number(status), code })
  })
})

test('streamAgent sends a question once, whatever comes of it', async () => {
  let sent = 0
  const counting = createClient({
    baseUrl: url,
    auth: () => testKey,
    fetch: (...call) => {
      sent++
      return fetch(...call)
    },
  })
  provider.chatBehaviour = (_call, response) =>
    sendJson(response, 401, recordedError('x', null, 'No.'))
  onTestFinished(() => void (provider.chatBehaviour = undefined))
  expect((await stream(counting, id)).problem).toMatchObject({ code: 'chat_failed' })
  expect(sent).toBe(1)
})

test('streamAgent says so where a stream has no end', async () => {
  const cut = createClient({
    baseUrl: url,
    fetch: async () => new Response('event: sources\ndata: {"type":"sources","sources":[]}\n\n'),
  })
  const { events, thrown } = await stream(cut, id)
  expect(events).toHaveLength(1)
  expect(thrown).toEqual(new Error('The stream broke off before its end.'))
})

describe('who leaves ends the provider’s call', () => {
  test('by break', async () => {
    holdProvider()
    for await (const event of streamAgent({ client, path: { id }, body: { query: question } })) {
      if (event.type === 'answer') break
    }
    await expect.poll(() => provider.openChats).toBe(0)
  })

  test('by the signal, and the conversation holds what came until then', async () => {
    holdProvider()
    const leaving = new AbortController()
    const visitorId = 'leaving'
    const streamed = stream(client, id, { visitorId }, leaving.signal)
    await expect.poll(() => provider.openChats).toBe(1)
    leaving.abort()
    await streamed
    await expect.poll(() => provider.openChats).toBe(0)
    const messages = await messagesOf(client, id, visitorId)
    for (const { content } of messages.slice(1)) expect(standInAnswer).toContain(content)
  })

  test('and so does who asked for JSON', async () => {
    holdProvider()
    const leaving = new AbortController()
    const body = { query: question, visitorId: 'leaving JSON' }
    const asked = sdk.queryAgent({ client, path: { id }, body, signal: leaving.signal })
    await expect.poll(() => provider.openChats).toBe(1)
    leaving.abort()
    await asked
    await expect.poll(() => provider.openChats).toBe(0)
    expect(await messagesOf(client, id, 'leaving JSON')).toEqual([])
  })
})

test('a comment comes every ten seconds in which nothing else does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const released = holdProvider()
  const words = Promise.withResolvers<void>()
  let comments = 0
  const reading = readEvents(
    url,
    id,
    { query: question },
    {
      onEvent: ({ events }) => {
        if (events.filter(({ type }) => type === 'answer').length === 3) words.resolve()
      },
      onComment: (seen) => (comments = seen.comments),
    },
  )
  await words.promise
  vi.advanceTimersByTime(9_999)
  vi.advanceTimersByTime(1)
  await expect.poll(() => comments).toBe(1)
  vi.advanceTimersByTime(20_000)
  await expect.poll(() => comments).toBe(3)
  released.resolve()
  expect((await reading).events.at(-1)?.type).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})

test('REQUEST_TIMEOUT is how long an event may take, and not the whole stream', async () => {
  const hasty = await startServer({ chat: provider.chat, requestTimeout: 30 })
  const agentId = await makeLibrarian(hasty.client)
  let more = Promise.withResolvers<void>()
  provider.chatBehaviour = async (call, response) => {
    const words = recordedChunks(call, 'The library opens at nine in the morning.').map(toEvent)
    beginEvents(response)
    response.write(words.splice(0, 2).join(''))
    while (words.length > 0) {
      more = Promise.withResolvers()
      await more.promise
      response.write(words.splice(0, words.length > 3 ? 1 : 3).join(''))
    }
    response.end()
  }
  onTestFinished(() => void (provider.chatBehaviour = undefined))
  holdClock()
  let answered = 0
  /** After each word all but a second passes, and then comes another, or after the last one that second. */
  const read = (last: number) =>
    readEvents(
      hasty.url,
      agentId,
      { query: question },
      {
        onEvent: ({ events }) => {
          if (events.at(-1)?.type !== 'answer') return
          answered++
          vi.advanceTimersByTime(29_000)
          if (answered < last) more.resolve()
          else vi.advanceTimersByTime(1_000)
        },
      },
    )
  expect((await read(Infinity)).events.at(-1)?.type).toBe('done')
  expect(answered).toBeGreaterThan(2)

  answered = 0
  const { events } = await read(1)
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    problem: { code: 'request_timeout', detail: 'The answer did not go on within 30 seconds.' },
  })
  await expect.poll(() => provider.openChats).toBe(0)
})

describe('a server that stops', () => {
  async function startHeld() {
    const own = await startServer({ chat: provider.chat })
    const agentId = await makeLibrarian(own.client)
    const released = holdProvider()
    const begun = Promise.withResolvers<void>()
    const onEvent = () => begun.resolve()
    const reading = readEvents(own.url, agentId, { query: question }, { onEvent })
    await begun.promise
    return { own, released, reading }
  }

  test('lets a stream come to its end', async () => {
    const { own, released, reading } = await startHeld()
    const closed = own.close()
    released.resolve()
    expect(await reading).toMatchObject({ isCut: false })
    expect((await reading).events.at(-1)?.type).toBe('done')
    await closed
  })

  test('closes one that takes longer, and its provider’s call', async () => {
    const { own, reading } = await startHeld()
    holdClock()
    const closed = own.close()
    vi.advanceTimersByTime(1_000)
    const { events, isCut } = await reading
    vi.useRealTimers()
    await closed
    expect(isCut).toBe(true)
    expect(events.at(-1)?.type).not.toBe('done')
    await expect.poll(() => provider.openChats).toBe(0)
  })
})

test('a stream is not compressed, and keeps nothing in caches or proxies', async () => {
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, 'word '.repeat(1_000))
  onTestFinished(() => void (provider.chatBehaviour = undefined))
  const response = await fetch(`${url}/agents/${id}/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    },
    body: JSON.stringify({ query: question, streaming: true }),
  })
  await response.text()
  const { headers } = response
  expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
    null,
    'no-store',
  ])
  expect(headers.get('x-accel-buffering')).toBe('no')
})
