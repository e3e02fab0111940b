import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { AgentAnswer, AgentEvent, Message } from '../../generated/types.gen.ts'
import { beginEvents, recordedChunks, sendAnswer, toEvent } from '../support/chat-answers.ts'
import { faultsWithin } from '../support/chat-faults.ts'
import { makeLibrarian, messagesOf, question } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { Random, roundsFor } from '../support/random.ts'
import { type RawEvents, readEvents } from '../support/raw-events.ts'
import { openServer, temporaryDirectory, type TestServer } from '../support/server.ts'

const roundMilliseconds = 10_000
const provider = await Provider.start()
const dataUri = await temporaryDirectory()

const cutters = ['nobody', 'client', 'provider', 'shutdown'] as const
type Cutter = (typeof cutters)[number]
/** Each of them cuts once. */
const { rounds, seed } = roundsFor('STREAM', cutters.length)

/** An answer, who cuts it, after how many of its chunks, and whether it would go on otherwise. */
type Round = { visitorId: string; answer: string; cutter: Cutter; at: number; goesOn: boolean }

function draw(random: Random, round: number): Round {
  const words = [
    'The library',
    'opens',
    'at nine',
    '[1]',
    '.',
    'Nobody',
    'knows',
    '[2]',
    '[9]',
    '\n',
  ]
  const length = 1 + random.below(30)
  const answer = `It ${Array.from({ length }, () => random.pick(words)).join(' ')}`
  const cutter = cutters[round % cutters.length]!
  const at = 1 + random.below(answer.split(/\s+/).length)
  return { visitorId: `round ${round}`, answer, cutter, at, goesOn: random.chance(0.5) }
}

/** Has the stand-in write so many chunks, then wait until it was cut, and go on if it is to. */
function prepare({ answer, cutter, at, goesOn }: Round, random: Random, cut: () => unknown) {
  const [, fault] = random.pick(faultsWithin.slice(0, 9))
  provider.chatBehaviour = async (call, response) => {
    if (cutter === 'provider' && !goesOn) return fault(call, response)
    const texts = recordedChunks(call, answer).map(toEvent)
    beginEvents(response)
    response.write(texts.slice(0, at).join(''))
    if (cutter === 'provider') return response.destroy()
    const isCut = cut()
    if (goesOn) await isCut
    else if (cutter !== 'nobody') return undefined
    return response.end(texts.slice(at).join(''))
  }
}

async function run(server: TestServer, id: string, round: Round, random: Random) {
  const leaving = new AbortController()
  let stopped: Promise<void> | undefined
  const { answer, cutter, visitorId } = round
  const turns = random.below(20)
  prepare(round, random, async () => {
    if (cutter === 'shutdown') stopped = server.close()
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    // What is held gives no more events to leave at.
    if (cutter === 'client' && !round.goesOn) leaving.abort()
  })
  const max = 1 + random.below(2 + answer.split(/\s+/).length)
  const onEvent = ({ events }: RawEvents) => {
    if (cutter === 'client' && events.length >= max) leaving.abort()
  }
  const options = { onEvent, signal: leaving.signal }
  const seen = await readEvents(server.url, id, { query: question, visitorId }, options)
  await stopped
  return seen
}

test(
  `of ${rounds} streams cut at a random event each has one end or none, and what it said is kept`,
  { tags: 'deep', timeout: rounds * roundMilliseconds },
  async () => {
    const random = new Random(seed)
    let server = await openServer({ dataUri, chat: provider.chat })
    onTestFinished(() => server.close())
    const id = await makeLibrarian(server.client)
    for (let n = 0; n < rounds; n++) {
      const round = draw(random, n)
      const said = JSON.stringify(round)
      const seen = await run(server, id, round, random)
      await expect.poll(() => provider.openChats, { message: said }).toBe(0)
      if (round.cutter === 'shutdown') server = await openServer({ dataUri, chat: provider.chat })

      const ends = seen.events.filter(({ type }) => type === 'done' || type === 'error')
      expect(ends.length, said).toBe(seen.isCut ? Math.min(ends.length, 1) : 1)
      const messages = () => messagesOf(server.client, id, round.visitorId)
      const [end] = ends
      if (end?.type === 'done') await checkDone(server, id, round, end.answer, await messages())
      else if (end?.type === 'error') await checkError(server, id, said, await messages())
      else checkPart(round, seen.events, await messages())
    }
  },
)

async function checkDone(
  { client }: TestServer,
  id: string,
  { answer, visitorId }: Round,
  done: AgentAnswer,
  messages: Message[],
): Promise<void> {
  const [asked, answered] = messages
  expect([asked?.content, messages.length]).toEqual([question, 2])
  const { conversationId, visitorId: visitor, messageId, answer: content, ...details } = done
  expect(visitor).toBe(visitorId)
  expect(answered).toMatchObject({ id: messageId, content, ...details })

  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  const nobody = { conversationId: null, visitorId: null, messageId: null }
  expect(data).toEqual({ ...done, ...nobody })
  expect(conversationId).not.toBeNull()
}

async function checkError(
  { client }: TestServer,
  id: string,
  said: string,
  messages: Message[],
): Promise<void> {
  expect(said).toContain('"cutter":"provider"')
  expect(messages).toEqual([])
  // After some failures in a row the provider is left alone for a while.
  provider.chatBehaviour = undefined
  const body = { query: question, store: false }
  const ask = () => sdk.queryAgent({ client, path: { id }, body })
  await expect.poll(async () => (await ask()).response?.status).toBe(200)
}

/** What a conversation holds of an answer whose end nobody saw: nothing, or at least what was read of it. */
function checkPart(round: Round, events: AgentEvent[], messages: Message[]): void {
  expect(round.cutter, JSON.stringify(round)).not.toBe('nobody')
  if (messages.length === 0) return
  const read = events.flatMap((event) => (event.type === 'answer' ? event.delta : [])).join('')
  const [, answered] = messages
  expect(answered?.content.startsWith(read), JSON.stringify([read, answered])).toBe(true)
  const finishReason: unknown = expect.toBeOneOf(['aborted', 'stop', 'no_answer'])
  expect(answered).toMatchObject({ finishReason })
}
