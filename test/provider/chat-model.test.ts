import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { ModelName, type QueryAgent } from '../../generated/types.gen.ts'
import {
  beginEvents,
  type ChatBehaviour,
  type ChatCall,
  delta,
  finish,
  recordedChunks,
  sendAnswer,
  standInAnswer,
  toEvent,
} from '../support/chat-answers.ts'
import {
  type Fault,
  faultsBefore,
  faultsWithin,
  lateBefore,
  lateWithin,
} from '../support/chat-faults.ts'
import { makeLibrarian, messagesOf, question, stream } from '../support/librarian.ts'
import { Provider, recordedError, sendJson } from '../support/provider.ts'
import { startServer } from '../support/server.ts'

const provider = await Provider.start()
const { client, logged } = await startServer({ chat: provider.chat })
const id = await makeLibrarian(client, { modelName: ModelName.GPT_4, temperature: 0.5 })

beforeEach(() => {
  provider.chats.length = 0
  provider.chatBehaviour = undefined
})

const ask = (body: Partial<QueryAgent> = {}) =>
  sdk.queryAgent({ client, path: { id }, body: { query: question, ...body } })

const bodies = () => provider.chats.map(({ body }) => body)

test('calls are as the protocol has them', async () => {
  const { data } = await ask()
  expect(data).toMatchObject({
    answer: standInAnswer,
    model: 'stand-in-chat-2026-08-07',
    finishReason: 'stop',
    usage: { inputTokens: 58, outputTokens: 12 },
  })
  expect(provider.chats).toEqual([
    {
      authorization: 'Bearer sk-canary-of-the-provider',
      body: {
        model: 'stand-in-chat',
        messages: expect.any(Array),
        temperature: 0.5,
        stream: true,
        stream_options: { include_usage: true },
      },
    },
  ])
})

test('each name has its own model, and a name without one answers in sentences of the documents', async () => {
  const models = { gpt_4: 'large', gpt_3_5_turbo: 'small' }
  const own = await startServer({ chat: { ...provider.chat, models } })
  const agent = await makeLibrarian(own.client)
  const answering = async (modelName: ModelName) => {
    const body = { query: question, modelName }
    return (await sdk.queryAgent({ client: own.client, path: { id: agent }, body })).data?.model
  }
  expect(await answering('gpt_4')).toBe('large-2026-08-07')
  expect(await answering('gpt_3_5_turbo')).toBe('small-2026-08-07')
  expect(await answering('gpt_4_32k')).toBe('extractive-1')
  expect(bodies().map(({ model }) => model)).toEqual(['large', 'small'])
})

test('an answer that the model may not finish says so', async () => {
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, [...recordedChunks(call).slice(0, 3), finish(call, 'length')])
  expect((await ask()).data?.finishReason).toBe('length')
})

test('an answer in parts is that of its texts', async () => {
  provider.chatBehaviour = (call, response) => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const parts = [[thinking], [{ type: 'text', text: 'Nine' }, null, 5], '.']
    const chunks = parts.map((content) => ({ choices: [{ delta: { content } }] }))
    return sendAnswer(call, response, [...chunks, finish(call, 'MAX_TOKENS')])
  }
  expect((await ask()).data).toMatchObject({ answer: 'Nine.', finishReason: 'length' })
})

test.each(['', 'null', 'abort', 'insufficient_system_resource', 'ERROR'])(
  'an answer that ends with the reason "%s" is broken off',
  async (reason) => {
    provider.chatBehaviour = (call, response) => {
      const chunks = [{ choices: [{ delta: { content: 'You must not ' }, finish_reason: reason }] }]
      return sendAnswer(call, response, chunks)
    }
    const { response, error } = await ask()
    expect([response?.status, error?.detail]).toEqual([502, expect.stringContaining('broke off')])
  },
)

test('what a server does not count is 0, and a name it does not give is that of the model', async () => {
  provider.chatBehaviour = (call, response) => {
    const chunks = [
      { choices: [{ delta: { content: 'Nine.' } }] },
      { choices: [{ finish_reason: 'stop' }] },
    ]
    return sendAnswer(call, response, chunks)
  }
  expect((await ask()).data).toMatchObject({
    answer: 'Nine.',
    model: 'stand-in-chat',
    usage: { inputTokens: 0, outputTokens: 0 },
  })
})

test.each([
  ['a long name', 'm'.repeat(900_000), 'm'.repeat(256)],
  [
    'a name that is cut in the middle of a letter',
    `${'m'.repeat(255)}\u{1f4da}`,
    `${'m'.repeat(255)}\ufffd`,
  ],
  ['a name of 256 characters', 'm'.repeat(256), 'm'.repeat(256)],
])(
  'of a provider that gives %s for its model 256 characters are kept',
  { tags: 'deep' },
  async (_, model, kept) => {
    provider.chatBehaviour = (call, response) => {
      const chunks = [
        { model, choices: [{ delta: { content: 'Nine.' } }] },
        { choices: [{ finish_reason: 'stop' }] },
      ]
      return sendAnswer(call, response, chunks)
    }
    const { data } = await ask()
    expect(data?.model).toBe(kept)
    const path = { id: data!.conversationId! }
    const { messages } = (await sdk.getConversation({ client, path, throwOnError: true })).data
    expect(messages.at(-1)).toMatchObject({ model: kept })
  },
)

describe('a parameter that a model refuses', () => {
  const refusing =
    (...parameters: string[]): ChatBehaviour =>
    (call, response) => {
      const param = parameters.find((name) => (name.split('.')[0] ?? '') in call.body)
      if (param === undefined) return sendAnswer(call, response)
      const { error } = recordedError('invalid_request_error', 'unsupported_value', 'No such.')
      return sendJson(response, 400, { error: { ...error, param } })
    }

  async function startOwn() {
    const { client: own } = await startServer({ chat: provider.chat })
    const agent = await makeLibrarian(own)
    return () => sdk.queryAgent({ client: own, path: { id: agent }, body: { query: question } })
  }

  test('is left out once, and remembered', async () => {
    const askOwn = await startOwn()
    provider.chatBehaviour = refusing('temperature', 'stream_options.include_usage')
    const answers = [await askOwn(), await askOwn()]
    expect(answers.map(({ data }) => data?.answer)).toEqual([standInAnswer, standInAnswer])
    const sent = bodies().map((body) => ['temperature', 'stream_options'].map((key) => key in body))
    expect(sent).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ])
  })

  test('is left out where the provider says only where in the body it stands', async () => {
    const askOwn = await startOwn()
    const loc = ['body', 'stream_options', 'include_usage']
    const detail = [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }]
    const error = { object: 'error', message: { detail }, param: null }
    provider.chatBehaviour = (call, response) =>
      call.body.stream_options ? sendJson(response, 422, error) : sendAnswer(call, response)
    expect((await askOwn()).data?.answer).toBe(standInAnswer)
  })

  test(
    'is an error where the answer cannot do without it, or it was not sent',
    { tags: 'deep' },
    async () => {
      const askOwn = await startOwn()
      for (const param of ['messages', 'temperature']) {
        provider.chatBehaviour = (_call, response) =>
          sendJson(response, 400, { error: { message: 'No.', param } })
        const { error } = await askOwn()
        expect(error?.detail).toContain('answered 400')
      }
      expect(provider.chats).toHaveLength(1 + 2)
    },
  )
})

const [broken] = faultsWithin
const faults = [
  ...faultsBefore.map((fault) => ['before it begins', ...fault] as const),
  ...faultsWithin.map((fault) => ['within it', ...fault] as const),
]

const inSuite = new Set(['reset', '404 model', 'HTML', 'withheld', 'an end without a reason'])
const [usual, others] = [true, false].map((is) =>
  faults.filter(([, name]) => inSuite.has(name) === is),
)
const badTitle =
  'an answer that is bad %s, %s: the stream ends with the Problem, and nothing is stored'
const expectBad = async (...[when, name, behaviour, status, detail]: (typeof faults)[number]) => {
  provider.chatBehaviour = behaviour
  const visitorId = `${when} ${name}`
  const { events, problem } = await stream(client, id, { visitorId })
  expect(problem).toMatchObject({ status, code: 'chat_failed' })
  expect(problem?.detail).toContain(detail)
  expect(events.map(({ type }) => type).slice(0, 2)).toEqual(
    when === 'within it' ? ['sources', 'answer'] : ['sources'],
  )
  expect(await messagesOf(client, id, visitorId)).toEqual([])
  await expect.poll(() => provider.openChats).toBe(0)

  provider.chatBehaviour = undefined
  await expect.poll(async () => (await ask()).response?.status).toBe(200)
}

test.each(usual!)(badTitle, expectBad)
test.each(others!)(badTitle, { tags: 'deep' }, expectBad)

test.each([faultsBefore[3]!, broken!])(
  'as JSON, an answer that is bad is the Problem itself: %s',
  async (_, behaviour, status, detail) => {
    provider.chatBehaviour = behaviour
    const { response, error } = await ask({ visitorId: 'json' })
    expect([response?.status, error?.code]).toEqual([status, 'chat_failed'])
    expect(error?.detail).toContain(detail)
    expect(response?.headers.get('retry-after')).toBe('1')
    expect(await messagesOf(client, id, 'json')).toEqual([])
  },
)

describe('a provider that is silent for too long', async () => {
  // Nothing that is to succeed is asked of it, for on a slow machine a second is short.
  const { client: hasty } = await startServer({ chat: { ...provider.chat, timeout: 1 } })
  const agent = await makeLibrarian(hasty)

  const [atFirst, ...later] = [...lateBefore, ...lateWithin]
  const expectLate = async (...[, behaviour, status, detail]: Fault) => {
    provider.chatBehaviour = behaviour
    const { problem } = await stream(hasty, agent)
    expect(problem).toMatchObject({ status, code: 'chat_timeout' })
    expect(problem?.detail).toContain(detail)
    await expect.poll(() => provider.openChats).toBe(0)
  }
  test.each([atFirst!])('%s: 504', expectLate)
  test.each(later)('%s: 504', { tags: 'deep' }, expectLate)
})

test('a call is repeated after a passing fault, but never once its answer has begun', async () => {
  let failures = 1
  provider.chatBehaviour = (call, response) =>
    failures-- > 0 ? sendJson(response, 503, {}) : sendAnswer(call, response)
  expect((await ask()).data?.answer).toBe(standInAnswer)
  expect(provider.chats).toHaveLength(2)

  provider.chatBehaviour = broken![1]
  expect((await ask()).response?.status).toBe(502)
  expect(provider.chats).toHaveLength(3)
})

test.each<[string, string, (call: ChatCall) => object[]]>([
  ['withheld from one caller', 'withheld', (call) => [finish(call, 'content_filter')]],
  ['empty', 'empty', (call) => [finish(call)]],
])('answers that are %s keep no other from being answered', async (_, told, chunks) => {
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, chunks(call))
  for (let n = 0; n < 6; n++) expect((await ask()).error?.detail).toContain(told)
  provider.chatBehaviour = sendAnswer
  expect((await ask()).data?.answer).toBe(standInAnswer)
})

test('where one model keeps failing, others answer', async () => {
  const models = { gpt_4: 'large', gpt_3_5_turbo: 'small' }
  const own = await startServer({ chat: { ...provider.chat, models } })
  const path = { id: await makeLibrarian(own.client) }
  provider.chatBehaviour = (call, response) =>
    call.body.model === 'large' ? sendJson(response, 503, {}) : sendAnswer(call, response)
  const asked = (modelName: ModelName) =>
    sdk.queryAgent({ client: own.client, path, body: { query: question, modelName } })
  await Promise.all([asked('gpt_4'), asked('gpt_4'), asked('gpt_4')])
  expect((await asked('gpt_4')).error?.detail).toContain('keeps failing')
  expect((await asked('gpt_3_5_turbo')).data?.answer).toBe(standInAnswer)
})

test('a question that goes on is searched as asked where the model does not write it again', async () => {
  const { data: first } = await ask()
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, provider.chats.length === 1 ? [finish(call)] : recordedChunks(call))
  for (const query of [question, 'And why?']) {
    provider.chats.length = 0
    const { data } = await ask({ query, conversationId: first!.conversationId! })
    expect(data?.answer).toBe(standInAnswer)
  }
})

test('what a model thinks before it answers, between tags, is neither told nor searched for', async () => {
  const { data: first } = await ask()
  const thoughts = [
    '\n<think>\nThe capital of Peru? [1] </thin\n</think>\n\n',
    '<thinking>The capital? [1] </thinkin</thinking>\n',
    '[THINK]The capital? [1] [/THINK[/THINK]',
  ]
  const all = thoughts.flatMap((thought) =>
    [/[^]+/g, /[^]/g, /\S+\s*/g].map((piece) => ({ thought, piece })),
  )
  for (const { thought, piece } of all) {
    provider.chatBehaviour = (call, response) => {
      const said = bodies().length === 1 ? question : standInAnswer
      const pieces = `${thought}${said}`.match(piece) ?? []
      return sendAnswer(call, response, [...pieces.map((one) => delta(call, one)), finish(call)])
    }
    provider.chats.length = 0
    const { data } = await ask({ query: 'And then?', conversationId: first!.conversationId! })
    expect(data).toMatchObject({ answer: standInAnswer, citations: [{ start: 0, source: 0 }] })
  }
  for (const answer of [...thoughts, '<think>Nine', '[THINK]Nine']) {
    provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
    expect((await ask()).error?.detail).toContain('empty')
  }
  for (const answer of ['<thin', '<thinker> is no tag.', '[THINK', 'It is <think>9</think> [1].']) {
    provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
    expect((await ask()).data?.answer).toBe(answer)
  }
})

test('a model that thinks for long is not late', { tags: 'deep' }, async () => {
  const { client: hasty } = await startServer({ chat: { ...provider.chat, timeout: 2 } })
  const path = { id: await makeLibrarian(hasty) }
  const thought = toEvent({ choices: [{ delta: { reasoning_content: 'Hm. ' } }] })
  provider.chatBehaviour = (call, response) => {
    beginEvents(response)
    let thoughts = 12
    const timer = setInterval(() => {
      if (thoughts-- > 0) return response.write(thought)
      clearInterval(timer)
      return response.end(recordedChunks(call).map(toEvent).join(''))
    }, 250)
  }
  const { data } = await sdk.queryAgent({ client: hasty, path, body: { query: question } })
  expect(data?.answer).toBe(standInAnswer)
})

test('a provider that keeps failing is left alone for a while', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  provider.chatBehaviour = (_call, response) => sendJson(response, 503, {})
  await Promise.all([ask(), ask(), ask()])
  provider.chats.length = 0
  const { response, error } = await ask()
  expect(provider.chats).toEqual([])
  expect(error?.detail).toContain('keeps failing')
  expect(response?.headers.get('retry-after')).toBe('2')
  provider.chatBehaviour = undefined
  vi.setSystemTime(Date.now() + 2_000)
  expect((await ask()).response?.status).toBe(200)
})

test('what the provider says of its settings is in the log alone, and its key is nowhere', async () => {
  const { apiKey } = provider.chat
  provider.chatBehaviour = (_call, response) =>
    sendJson(response, 401, recordedError('x', null, `Wrong key: ${apiKey}.`))
  logged.length = 0
  const { error } = await ask()
  const { reason } = logged.find(({ requestId }) => requestId === error?.requestId) ?? {}
  expect(reason).toBe('Wrong key: [CHAT_API_KEY].')
  provider.chatBehaviour = (call, response) =>
    sendJson(response, 400, recordedError('x', null, JSON.stringify(call.body.messages)))
  await ask()
  expect(JSON.stringify(logged)).not.toMatch(/sk-canary|library/)
  expect(JSON.stringify(error)).not.toContain('Wrong key')
})

test('an empty piece is no event', async () => {
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, [
      delta(call, ''),
      delta(call, 'Nine.'),
      delta(call, ''),
      finish(call),
    ])
  const { events } = await stream(client, id)
  const deltas = events.flatMap((event) => (event.type === 'answer' ? event.delta : []))
  expect(deltas).toEqual(['Nine.'])
})
