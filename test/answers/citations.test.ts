import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { AgentAnswer } from '../../generated/types.gen.ts'
import { delta, finish, sendAnswer } from '../support/chat-answers.ts'
import { makeLibrarian, openingHours, question, stream } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeAgent, makeDatastore, upsert } from '../support/things.ts'
import { xquad } from '../support/xquad.ts'

/** A citation holds when answer, source and datasource can be cut where it says. */
function expectHeld(given: AgentAnswer, textOf: (datasource: string) => string): void {
  for (const { start, end, source, quote, support } of given.citations) {
    const claim = given.answer.slice(start, end)
    const { datasource_id: id, start: from, end: to, text } = given.sources[source]!
    expect(claim).toMatch(/[\p{L}\p{N}]/u)
    expect(claim).toBe(claim.trim())
    expect(textOf(id).slice(from, to)).toBe(text)
    expect(textOf(id).slice(quote.start, quote.end)).toBe(quote.text)
    expect([quote.start >= from, quote.end <= to]).toEqual([true, true])
    expect([support >= 0, support <= 1]).toEqual([true, true])
  }
}

test('without a model every answer is a passage of one source, word for word', async () => {
  const { client } = await joinServer()
  const datastoreId = await makeDatastore(client)
  const { paragraphs } = xquad
  const texts = new Map<string, string>()
  const ids = await upsert(client, datastoreId, ...paragraphs)
  ids.forEach((one, index) => texts.set(one, paragraphs[index]!))
  const { id } = await makeAgent(client)
  const knowledge = { datastoreIds: [datastoreId] }
  await sdk.putKnowledge({ client, path: { id }, body: knowledge, throwOnError: true })
  const asked = xquad.questions.slice(0, 30)
  let answered = 0
  for (const { question: query } of asked) {
    const body = { query, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expectHeld(data, (one) => texts.get(one)!)
    if (!data.answered) continue
    answered += 1
    const claims = data.citations.map(({ start, end }) => data.answer.slice(start, end))
    expect(claims).toEqual([data.answer])
    expect(data.answer.length).toBeLessThanOrEqual(700)
    expect(data.citations.map(({ quote }) => quote.text)).toEqual(claims)
    expect(data.citations.map(({ support }) => support)).toEqual(claims.map(() => 1))
  }
  expect(answered).toBeGreaterThan(asked.length / 2)
})

const provider = await Provider.start()
const { client } = await startServer({ chat: provider.chat })
const id = await makeLibrarian(client)
const sunday = 'On Sundays the library is closed, also for members.'
const onSundays = await makeLibrarian(client, {}, sunday)

test.each([
  ['well', `It opens at nine in the morning [1]. It is closed on Sundays [2].`, 2],
  ['after the full stop', 'It opens at nine in the morning. [1] Sundays: closed. [2]', 2],
  ['two at once', 'It opens at nine but not on Sundays [1][2]. So [1, 2].', 4],
  ['twice', 'It opens at nine [1][1]. ', 1],
  [
    'within a sentence',
    'It opens at nine [1], (and closed: Sundays [2]); 九時に [1]、日曜 [2]。',
    4,
  ],
  ['numbers that do not exist', 'It opens at nine [7], or [0] ten [99].', 0],
  ['some that do not', 'It opens at nine [1, 9].', 1],
  ['what is no marker', 'It opens [in 1] at a[b] [1 at nine.', 0],
  ['first of all', '[1] It opens at nine.', 1],
  ['in other brackets', '九時に開きます【1】。😀 Nine [1]. 九時［1］', 3],
  ['as footnotes, and one of none', 'It opens at nine [^1]. Closed on Sundays [^2], [^9].', 2],
  ['by what they are', 'Nine [Source 1]. On Sundays [Fragments 1, 2], [source 1, source 2].', 3],
  ['with words', 'It opens [1 and 2]. Sundays [Source: 1]. Nine [1, 2, and 9], [1 & 2].', 5],
  ['from one to another', 'It opens [1-2] in [0-9], [1–2].', 4],
  ['as a search of files does', 'It opens at nine【1†hours.md】.【2†L1-L3】', 2],
  [
    'as an assistant of OpenAI does',
    'It opens at nine【4:0†source】, [1]. Sundays【1:1†hours.md】.',
    1,
  ],
])('a model that cites %s', async (_, answer, count) => {
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({
    client,
    path: { id: onSundays },
    body,
    throwOnError: true,
  })
  const textOf = (one: string) => data.sources.find((each) => each.datasource_id === one)!.text
  expectHeld(data, textOf)
  expect(data.citations).toHaveLength(count)
  for (const { start } of data.citations) expect(data.answer[start]).not.toMatch(/[,.;:)、]/)
  expect(data.sources.length).toBe(2)
  expect(data.answer).not.toMatch(/\[(?:0|7|9|99)\]|:\d†/)
  const { events } = await stream(client, onSundays, body)
  expect(events.at(-1)).toEqual({ type: 'done', answer: data })
  const streamed = events.map((event) => (event.type === 'answer' ? event.delta : '')).join('')
  expect(streamed).toBe(data.answer)
})

test('a number that no source has goes with the blank before it, in whatever pieces', async () => {
  for (const piece of [/.+/g, /\S+\s*/g, /\s*\S+/g, /./g]) {
    const pieces = 'It opens at nine [7], or ten [8, 99].'.match(piece) ?? []
    provider.chatBehaviour = (call, response) =>
      sendAnswer(call, response, [...pieces.map((one) => delta(call, one)), finish(call)])
    const body = { query: question, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer, String(piece)).toBe('It opens at nine, or ten.')
  }
})

test.each(['[99]', ' \n'])('502: a model that says %j and nothing else', async (answer) => {
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const { error } = await sdk.queryAgent({ client, path: { id }, body: { query: question } })
  expect(error).toMatchObject({ code: 'chat_failed', detail: expect.stringContaining('empty') })
})

test.each([
  ['`sys.argv[0]` names the program, and it opens at nine [1].', '`sys.argv[0]`', 1],
  ['```\n"ports": [1]\n```\nIt opens at nine [1].', '"ports": [1]', 1],
  ['The table is [[1, 2], [3]].', '[[1, 2]', 0],
  ['Run [1]:\n  ```\n\n"ports": [1]\n  ```\nIt `opens\nat nine [1].', '"ports": [1]', 2],
])('what stands in code is no marker, in whatever pieces: %s', async (answer, kept, count) => {
  const body = { query: question, store: false }
  for (const pieces of [[answer], [...answer]]) {
    provider.chatBehaviour = (call, response) =>
      sendAnswer(call, response, [...pieces.map((one) => delta(call, one)), finish(call)])
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer).toContain(kept)
    expect(data.citations).toHaveLength(count)
  }
})

test('support 1 is word for word, and a claim is quoted without the sentence before', async () => {
  const dogs = 'Dogs must wait outside. The pool closes at six. It has no sauna.'
  const agent = await makeLibrarian(client, {}, dogs)
  const claims = ['The pool closes at six', 'The pool closes not at six', 'At six closes the pool']
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, claims.map((claim) => `${claim} [1].`).join(' '))
  const path = { id: agent }
  const asked = { query: 'When does the pool close?', store: false }
  const { data } = await sdk.queryAgent({ client, path, body: asked, throwOnError: true })
  expect(data.sources[0]?.text).toBe(dogs)
  const told = data.citations.map(({ quote, support }) => [quote.text, support === 1])
  const quote = 'The pool closes at six.'
  expect(told).toEqual([
    [quote, true],
    [quote, false],
    [quote, false],
  ])
})

test.each([
  ['According to [1], it is closed.', ['it is closed.']],
  [
    'Based on [1] and [2], it is closed. In [1]: it opens.',
    ['it is closed.', 'it is closed.', 'it opens.'],
  ],
  ['As stated in [1][2], it opens [1]. Laut [2] nie.', ['it opens', 'it opens', 'nie.']],
  ['It is closed. From [1]. It opens [2] and [1].', ['It opens', 'It opens']],
  ['It is given in [1]. According to [1]', ['It is given in']],
])('a source that is named first is cited for what follows: %s', async (answer, claims) => {
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const body = { query: question, store: false }
  const path = { id: onSundays }
  const { data } = await sdk.queryAgent({ client, path, body, throwOnError: true })
  expect(data.citations.map(({ start, end }) => data.answer.slice(start, end))).toEqual(claims)
})

test.each([
  ['- The pool closes at six [1]\n- It has no sauna [1]', 'The pool closes at six'],
  ['1. The pool closes at six [1]\n2. It has no sauna [1]', 'The pool closes at six'],
  ['The pool closes at six ([1]). It has no sauna **[1]**', 'The pool closes at six'],
  ['The **pool** closes at six [1]. It has __no__ `sauna` [1]', 'The **pool** closes at six'],
])('signs of lists and of Markdown are no words of a claim: %s', async (answer, claim) => {
  const agent = await makeLibrarian(client, {}, 'The pool closes at six. It has no sauna.')
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const body = { query: 'When does the pool close?', store: false }
  const path = { id: agent }
  const { data } = await sdk.queryAgent({ client, path, body, throwOnError: true })
  const [first] = data.citations
  expect(data.answer.slice(first?.start, first?.end)).toBe(claim)
  expect(data.citations.map(({ support }) => support)).toEqual([1, 1])
})

test.each([
  '[1] It opens at nine.\n[2] It is closed.',
  '- [1] It opens at nine.\n- [2] It is closed.',
  'It opens at nine.\n[1]\nIt is closed.\n\n[2]\n',
])('a number at the start of a line is of the line, or of the one before: %j', async (answer) => {
  for (const pieces of [[answer], [...answer]]) {
    provider.chatBehaviour = (call, response) =>
      sendAnswer(call, response, [...pieces.map((one) => delta(call, one)), finish(call)])
    const body = { query: question, store: false }
    const path = { id: onSundays }
    const { data } = await sdk.queryAgent({ client, path, body, throwOnError: true })
    const cited = data.citations.map((one) => [data.answer.slice(one.start, one.end), one.source])
    expect(cited).toEqual([
      ['It opens at nine.', 0],
      ['It is closed.', 1],
    ])
  }
})

test.each([
  (noAnswer: string) => `${noAnswer.replace(/\.$/, '')} [1].`,
  (noAnswer: string) => noAnswer.replace(/\.$/, ''),
  (noAnswer: string) => `“${noAnswer}”`,
  (noAnswer: string) => `**${noAnswer}** [1]\n`,
])('noAnswer with other marks around it is no answer: %s', async (write) => {
  const { noAnswer } = (await sdk.getKnowledge({ client, path: { id }, throwOnError: true })).data
  const answer = write(noAnswer)
  provider.chatBehaviour = (call, response) => sendAnswer(call, response, answer)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data).toMatchObject({ answered: false, finishReason: 'no_answer', citations: [] })
})

test('support tells a claim that its quote holds from one that it does not', async () => {
  const claims = ['The library opens at nine in the morning', 'Penguins migrate over the ocean']
  provider.chatBehaviour = (call, response) =>
    sendAnswer(call, response, claims.map((claim) => `${claim} [1].`).join(' '))
  const { data } = await sdk.queryAgent({ client, path: { id }, body: { query: question } })
  const [true_, false_] = data!.citations
  expect([true_?.quote.text, true_?.support]).toEqual([openingHours, 1])
  expect(false_?.support).toBe(0)
})
