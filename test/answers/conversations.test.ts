import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { QueryAgent } from '../../generated/types.gen.ts'
import type { Client } from '../../generated/client/index.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { makeLibrarian, openingHours, question } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { startServer } from '../support/server.ts'

async function ask(client: Client, id: string, body: QueryAgent) {
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  return data
}

test('without a model, a question with hardly a word of its own goes on with the one before', async () => {
  const { client } = await startServer()
  const pool = 'The pool opens at seven in the morning.\n\nChildren swim for nothing.'
  const id = await makeLibrarian(client, {}, pool)
  const query = 'And on Saturday?'
  expect((await ask(client, id, { query: 'And when?' })).answered).toBe(false)
  const { conversationId } = await ask(client, id, { query: question })
  const followed = await ask(client, id, { query, conversationId: conversationId! })
  expect(followed.answer).toBe(openingHours)
  const askNext = (next: string) =>
    ask(client, id, { query: next, conversationId: conversationId! })
  expect((await askNext('When does the pool open?')).answer).toBe(pool)
  expect((await askNext('And for children?')).answer).toContain('Children swim for nothing.')
  for (const off of ['And on Sundays?', 'And the dogs?', 'Parking fees?', 'Who is the mayor?']) {
    expect((await askNext(off)).answered, off).toBe(false)
  }
})

test('without a model, what says nothing of the subject is declined, and the subject stays', async () => {
  const { client } = await startServer()
  const id = await makeLibrarian(client)
  const { conversationId } = await ask(client, id, { query: question })
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  for (const query of ['Why?', 'How do you do that?']) {
    expect((await askNext(query)).answer, query).toBe(openingHours)
  }
  for (const query of ['Who are you?', 'What can you do?', 'Thanks!', 'Hello', 'No', ':)']) {
    expect((await askNext(query)).answered, query).toBe(false)
  }
  expect((await askNext('And on Saturday?')).answer).toBe(openingHours)
})

test('a follow-up of a follow-up keeps its subject, and another code takes its place', async () => {
  const { client } = await startServer()
  const museum = 'The museum opens at noon on Mondays. On Sundays the museum is closed.'
  const library = 'On Mondays the library opens at ten. On Sundays the library is closed.'
  const hours = await makeLibrarian(client, {}, museum, library)
  const follow = async (agent: string, ...queries: string[]) => {
    let conversationId: string | null | undefined
    let answer = ''
    for (const query of queries) {
      const data = await ask(client, agent, { query, ...(conversationId && { conversationId }) })
      conversationId = data.conversationId
      answer = data.answer
    }
    return answer
  }
  const asked = ['When does the library open?', 'and on Sundays?', 'And Mondays?']
  expect(await follow(hours, ...asked)).toBe(library)
  const rows = ['AX1070,lamp,red,5', 'AX1077,chair,blue,7', 'AX1078,desk,green,9', 'BX1,bed,red,8']
  const shop = await makeLibrarian(client, {}, ['code,name,colour,price', ...rows].join('\n'))
  const price = 'What is the price of AX1077?'
  expect(await follow(shop, price, 'and AX1078?', 'and the colour?')).toContain(rows[2])
  expect(await follow(shop, price, 'and the colour?', 'and its name?')).toContain(rows[1])
})

test('a word that may be an assent is asked for where nothing was answered before', async () => {
  const { client } = await startServer()
  const nice = 'NAME\n       nice - run a program with modified scheduling priority\n'
  const id = await makeLibrarian(client, {}, nice)
  const first = await ask(client, id, { query: 'nice' })
  expect(first.answer).toContain('nice - run a program')
  const after = { query: 'Nice!', conversationId: first.conversationId! }
  expect((await ask(client, id, after)).answered).toBe(false)
})

test('without a model, greetings and thanks ask nothing, and a correction takes up the question', async () => {
  const { client } = await startServer()
  const pool = 'The pool opens at seven. Say thanks to the pool: it is open to guests, ok?'
  const sauna = 'A sauna is a hot room of wood. The sauna opens at six.'
  const id = await makeLibrarian(client, {}, pool, sauna)
  const greeted = `Good morning! ${question}`
  const { conversationId, answer } = await ask(client, id, { query: greeted })
  expect(answer).toBe(openingHours)
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  for (const query of [
    'Thanks!',
    'ok',
    'No, thanks',
    'Vielen Dank',
    'Perfect, thank you so much',
    'Hi there',
  ]) {
    expect((await askNext(query)).answered, query).toBe(false)
  }
  expect((await ask(client, id, { query: 'Thanks' })).sources).toEqual([])
  expect((await askNext('Thanks, and on Saturday?')).answer).toBe(openingHours)
  expect((await askNext('No, I meant the pool for guests')).answer).toBe(pool)
  expect((await askNext('What is a sauna?')).answer).toBe(sauna)
  expect((await askNext('And when does it open?')).answer).toBe(sauna)
})

test('what goes on with `it` is answered of its subject alone, also after what was not found', async () => {
  const { client } = await startServer()
  const permit =
    'A permit for the reading room is given at the desk.\n\nIt is approved by the curator.'
  const money = 'Orders are approved by the treasurer.'
  const scales = 'Letters weigh twenty grams.'
  const id = await makeLibrarian(client, {}, permit, money, scales)
  const first = 'Who gives a permit for the reading room?'
  const { conversationId } = await ask(client, id, { query: first })
  const askNext = (query: string) => ask(client, id, { query, conversationId: conversationId! })
  expect((await askNext('And what does it weigh?')).answered).toBe(false)
  expect((await askNext('Who approves it?')).answer).toContain('curator')
  expect((await askNext('Who approves orders for money?')).answer).toBe(money)
})

test('with a model, one call puts the question into words that stand alone', async () => {
  const provider = await Provider.start()
  const { client } = await startServer({ chat: provider.chat })
  const id = await makeLibrarian(client)
  const first = await ask(client, id, { query: question })
  expect(provider.chats).toHaveLength(1)
  const alone = 'Does the library open on Saturday?'
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, provider.chats.length === 2 ? alone : 'It does [1].')
  const query = 'And then?'
  const given = await ask(client, id, { query, conversationId: first.conversationId! })
  expect(provider.chats).toHaveLength(3)
  const [, rewriting, answering] = provider.chats.map(({ body }) => body.messages)
  const roles = ['system', 'user', 'assistant', 'user']
  expect(rewriting!.map(({ role }) => role)).toEqual(roles)
  expect(answering!.map(({ content }) => content)).toEqual([
    expect.any(String),
    question,
    first.answer,
    expect.stringContaining(openingHours),
    query,
  ])
  expect(given).toMatchObject({ answer: 'It does [1].', usage: { inputTokens: 2 * 58 } })
})

test('what a model cannot answer is no answer', async () => {
  const provider = await Provider.start()
  const { client } = await startServer({ chat: provider.chat })
  const id = await makeLibrarian(client)
  expect((await ask(client, id, { query: 'Which river flows through Paris?' })).answered).toBe(
    false,
  )
  expect(provider.chats).toHaveLength(0)
  const declined = { answered: false, finishReason: 'no_answer', citations: [] }
  for (const mark of ['', ' [1]', '[1]\n']) {
    provider.chatBehaviour = (call, response) =>
      sendAnswer(call, response, `I could not find an answer to that in what I know.${mark}`)
    expect(await ask(client, id, { query: question })).toMatchObject(declined)
  }
})
