import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { startServer } from '../support/server.ts'
import { makeLearnedAgent, query } from '../support/things.ts'

const provider = await Provider.start()
const { client } = await startServer({ provider: provider.settings })

/** Words of one subject are alike to this model, and words that are no sentence mean little to it. */
const subjects = [
  /dog|puppy/g,
  /refund|money/g,
  /pool|swim/g,
  /park|car\b/g,
  /breakfast|morning/g,
  /smok|cigarette/g,
  /luggage|suitcase/g,
]

function meaningOf(text: string): number[] {
  const counts = subjects.map((words) => text.toLowerCase().match(words)?.length ?? 0)
  const isSentence = /^[A-Z]/.test(text)
  const other = counts.some((count) => count > 0) && isSentence ? 0 : 1
  return [...counts.map((count) => count + 0.01), other]
}

provider.behaviour = (call, response) => {
  sendJson(response, 200, recorded(call, call.body.input.map(meaningOf)))
}

const texts = [
  'Dogs are welcome on the terrace.',
  'A refund is paid within fourteen days.',
  'Bring your own towel to the pool.',
  'Guests park in the garage under the house.',
  'Breakfast is served from seven to ten.',
  'Nobody may smoke in the rooms.',
  'Luggage is kept at the desk: bring it before noon.',
]
const { agent, datastore } = await makeLearnedAgent(client, texts)

async function ask(question: string, id = agent) {
  const body = { query: question, store: false }
  return (await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })).data
}

const inOtherWords = [
  ['Can I bring my puppy?', 'Dogs are welcome on the terrace.'],
  ['Where do I leave my car in the house?', 'Guests park in the garage under the house.'],
  ['How many days until I have my money?', 'A refund is paid within fourteen days.'],
] as const

test.each(inOtherWords)('what a model finds by meaning comes first: %s', async (asked, text) => {
  const [first] = await query(client, datastore, { query: asked })
  expect(first?.text).toBe(text)
})

test.each(inOtherWords)('and is what an agent quotes: %s', async (asked, text) => {
  expect(await ask(asked)).toMatchObject({ answered: true, answer: text })
})

test.each([
  'Who painted the Mona Lisa?',
  'Which planet has the most moons?',
  'How tall is the highest mountain?',
])('a question that nothing is like is declined: %s', async (asked) => {
  expect(await ask(asked)).toMatchObject({ answered: false, sources: [] })
})

test('what a model gives no vector for is left out as chance is measured', async () => {
  const answering = provider.behaviour!
  onTestFinished(() => void (provider.behaviour = answering))
  let refused: string | undefined
  provider.behaviour = (call, response) => {
    const [text = ''] = call.body.input
    // What is drawn by chance is no sentence.
    if (!/^[A-Z]/.test(text)) refused ??= text
    if (text === refused) response.writeHead(422).end()
    else void answering(call, response)
  }
  const { agent: id } = await makeLearnedAgent(client, texts)
  const [[asked, answer]] = inOtherWords
  expect(await ask(asked, id)).toMatchObject({ answered: true, answer })
  expect(refused).toBeDefined()
})

test('where all vectors are alike, the first question waits until chance is measured', async () => {
  const answering = provider.behaviour
  onTestFinished(() => void (provider.behaviour = answering))
  provider.behaviour = (call, response) => {
    const vectors = call.body.input.map((text) => meaningOf(text).map((count) => count + 1))
    sendJson(response, 200, recorded(call, vectors))
  }
  for (const [asked, answered] of [
    ['Who painted the Mona Lisa?', false],
    ['Can I bring my puppy?', true],
  ] as const) {
    const { agent: id } = await makeLearnedAgent(client, texts)
    provider.calls.length = 0
    expect(await ask(asked, id)).toMatchObject({ answered })
    // The question, and 24 that are drawn by chance.
    expect(provider.calls).toHaveLength(25)
  }
})
