import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()

const others = Array.from({ length: 140 }, (_, n) => ({
  name: `tool-${n}`,
  text: `Tool ${n} sorts each package of drawer ${n}, and prints its name in the order of size.`,
}))
const manual = {
  name: 'pan-mark',
  text: 'To hold a package back, mark it with the hold command. A package on hold is not upgraded.',
}
const { agent } = await makeLearnedAgent(client, [manual, ...others])
const { agent: ofFew } = await makeLearnedAgent(client, [manual, ...others.slice(0, 20)])

const isAnswered = async (id: string, query: string): Promise<boolean> => {
  const body = { query, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  return data.answered
}

test.each([
  ['names none', agent, 'How do I hold a package?', true],
  ['ends with a tool of the text', agent, 'How do I hold a package with pan-mark?', true],
  ['ends with a tool of no text', agent, 'How do I hold a package with quux?', false],
  ['ends with a system of no text', agent, 'How do I hold a package on the Quux system?', false],
  ['ends with a form of a word', agent, 'How do I hold a package with commands?', true],
  [
    'has nearly all words',
    agent,
    'Does the hold command mark a package not upgraded on quux?',
    true,
  ],
  ['asks a few fragments', ofFew, 'How do I hold a package with quux?', true],
])('a question that %s', async (_, id, query, expected) => {
  expect(await isAnswered(id, query)).toBe(expected)
})
