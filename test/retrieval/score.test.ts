import { beforeAll, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Filters, Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { Provider } from '../support/provider.ts'
import { Random } from '../support/random.ts'
import { placesOf, send } from '../support/raw.ts'
import { startServer } from '../support/server.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { ByHand, read, type Text } from './by-hand.ts'

const { client, url } = await startServer()

const modes = ['hybrid', 'vector', 'keyword'] as const

/** Each shares words with another, for of cosines near 0 six decimals do not say enough. */
const texts = [
  read(
    'The bees make honey in summer. They sleep when it snows.',
    '- bee make honei - summer - sleep - - snow',
  ),
  read('Summer honey is pale, winter honey is dark.', 'summer honei - pale winter honei - dark'),
  read(
    'A beekeeper keeps bees, and wears a veil and gloves.',
    '- beekeep keep bee - wear - veil - glove',
  ),
  read(
    'Bears love honey. Keep the hives closed in summer!',
    'bear love honei keep - hive close - summer',
  ),
  read('Foxes sleep in a den.', 'fox sleep - - den'),
  read('Make bread: flour, water, salt, an oven.', 'make bread flour water salt - oven'),
]

const queries = [
  read('How do bees make honey in summer?', '- - bee make honei - summer'),
  read('sleeping bear, in the snow', 'sleep bear - - snow'),
  read('beekeeping gloves', 'beekeep glove'),
  // Of a misspelt word the pieces are found.
  read('the sumer honny', '- sumer honni'),
  read('honey, honey, bees', 'honei honei bee'),
  read('the', '-'),
  read('xylograph', 'xylograph'),
]

describe.each([
  { embedder: 'the built-in embedder', isModel: false, makeServer: () => startServer() },
  {
    embedder: 'a provider',
    isModel: true,
    makeServer: async () => startServer({ provider: (await Provider.start()).settings }),
  },
])('with $embedder', ({ isModel, makeServer }) => {
  const tags = isModel ? ['deep'] : []
  test(
    'scores are as worked out by hand, also after an update and a delete',
    { tags },
    async () => {
      const { client: own } = await makeServer()
      const datastoreId = await makeDatastore(own)
      const ids = await upsert(own, datastoreId, ...texts.map(({ text }) => text))
      const stored = new Map(ids.map((id, index) => [id, texts[index]!]))
      const scoresOf = async (body: QueryDatastore) => {
        const found = await query(own, datastoreId, { topK: 100, ...body })
        const scores = new Map(found.map((fragment) => [fragment.datasource_id, fragment.score]))
        return Array.from(stored.keys(), (id) => scores.get(id))
      }
      const cosines = async ({ text }: Text) => {
        return (await scoresOf({ query: text, mode: 'vector' })).map((score) => score!)
      }
      /** LanceDB goes on counting rows that went, for a while. */
      const check = async (tolerance: number) => {
        const alike = await Promise.all(Array.from(stored.values(), cosines))
        for (const asked of queries) {
          const byHand = new ByHand(asked, [...stored.values()])
          const like = await cosines(asked)
          const actual = (await scoresOf({ query: asked.text })).map((score) => score ?? 0)
          const first = actual.indexOf(Math.max(...actual))
          const expected = isModel
            ? byHand.semantic(like, alike, first)
            : byHand.lexical(like, alike, first)
          expectClose(actual, expected, asked, tolerance)
          const byWords = await scoresOf({ query: asked.text, mode: 'keyword' })
          expectClose(
            byWords.map((score) => score ?? 0),
            byHand.keyword(),
            asked,
            tolerance,
          )
        }
      }
      await check(1e-5)

      const [first = '', second = ''] = ids
      const text = 'A bear eats honey and sleeps in winter. The bear wakes in spring.'
      await sdk.updateDatasource({
        client: own,
        path: { datastoreId },
        body: { id: first, text },
        throwOnError: true,
      })
      stored.set(first, read(text, '- bear eat honei - sleep - winter - bear wake - spring'))
      await check(0.1)

      const path = { id: datastoreId, datasourceId: second }
      await sdk.deleteDatasource({ client: own, path, throwOnError: true })
      stored.delete(second)
      await check(0.1)
    },
  )
})

function expectClose(
  actual: (number | undefined)[],
  expected: number[],
  { text }: Text,
  tolerance: number,
): void {
  expect(actual, text).toHaveLength(expected.length)
  for (const [index, score] of actual.entries()) {
    const distance = Math.abs(score! - expected[index]!)
    expect(distance, `${text}: ${actual} for ${expected}`).toBeLessThan(tolerance)
  }
}

describe.each(modes)('by %s', (mode) => {
  const least = mode === 'vector' ? -1 : 0
  /** What is in each datasource, to tell which place a fragment has. */
  const contents = new Map<string, string>()
  const asked = [
    ...queries.map(({ text }) => text),
    'summer',
    'word7 word8 word9',
    'twins and more twins',
    'the of and',
    '?!',
    '42',
    '图书馆在哪里',
    ...texts.map(({ text }) => text),
  ]
  let id: string
  beforeAll(async () => {
    id = await makeDatastore(client)
    const words = Array.from({ length: 150 }, (_, n) => `word${n}`)
    const stored = [
      ...texts.map(({ text }) => text),
      ...Array<string>(5).fill('Twins.'),
      [words.join(' '), words.toReversed().join(' '), words.join('  ')].join('\n\n'),
      '图书馆早上九点开门。',
      '42',
      '?!',
    ]
    const ids = await upsert(client, id, ...stored)
    ids.forEach((datasourceId, index) => contents.set(datasourceId, stored[index]!))
  })
  const find = (body: QueryDatastore) => query(client, id, { topK: 100, mode, ...body })
  const placeOf = ({ datasource_id, text }: Fragment) => contents.get(datasource_id)!.indexOf(text)
  const inOrder = (a: Fragment, b: Fragment) =>
    b.score - a.score ||
    Number(a.datasource_id > b.datasource_id) - Number(a.datasource_id < b.datasource_id) ||
    placeOf(a) - placeOf(b)

  test('scores are in range, of six decimals, and never rise; equal ones stand in place', async () => {
    let [found, equal] = [0, 0]
    for (const text of asked) {
      const fragments = await find({ query: text })
      expect(fragments, text).toEqual(fragments.toSorted(inOrder))
      for (const [index, { score }] of fragments.entries()) {
        expect(score).toBeGreaterThanOrEqual(least)
        expect(score).toBeLessThanOrEqual(1)
        expect(score).toBe(Number(score.toFixed(6)))
        if (score === fragments[index - 1]?.score) equal++
      }
      found += fragments.length
    }
    expect(found).toBeGreaterThan(asked.length)
    expect(equal).toBeGreaterThan(4)
  })

  test('minScore leaves out lower scores, and nothing else', { tags: 'deep' }, async () => {
    for (const text of asked) {
      const all = await find({ query: text })
      const scores = new Set(all.map(({ score }) => score))
      for (const minScore of scores) {
        const high = await find({ query: text, minScore })
        expect(high, text).toEqual(all.filter(({ score }) => score >= minScore))
        if (minScore + 5e-7 > 1) continue
        const higher = await find({ query: text, minScore: minScore + 5e-7 })
        expect(higher, text).toEqual(all.filter(({ score }) => score > minScore))
      }
      expect(await find({ query: text, minScore: -1 })).toEqual(all)
      const sure = await find({ query: text, minScore: 1 })
      expect(sure).toEqual(all.filter(({ score }) => score === 1))
    }
  })

  test('minScore takes nothing from topK: what it leaves out is not made up for', async () => {
    const [best, second] = await find({ query: 'summer honey' })
    const minScore = best!.score
    expect(second!.score).toBeLessThan(minScore)
    expect(await find({ query: 'summer honey', topK: 2, minScore })).toEqual([best])
  })
})

describe.each([
  { embedder: 'the built-in embedder', provider: undefined },
  { embedder: 'a provider', provider: (await Provider.start()).settings },
])('with $embedder', ({ provider }) => {
  test(
    'a filter that leaves the first fragment changes its score in no mode, right after a write',
    { tags: provider ? ['deep'] : [] },
    async () => {
      const own = await startServer({ provider })
      const id = await makeDatastore(own.client)
      await upsert(own.client, id, ...texts.map(({ text }) => text))
      for (const mode of modes) {
        for (const { text } of queries) {
          const find = async (filters: Filters) =>
            (await query(own.client, id, { query: text, mode, filters }))[0]
          const first = await find({})
          if (!first) continue
          const alone = await find({ datasource_ids: [first.datasource_id] })
          expect(alone?.score, `${mode}: ${text}`).toBe(first.score)
        }
      }
    },
  )
})

test('by vector, a text asked for by itself is as high as minScore goes', async () => {
  const id = await makeDatastore(client)
  await upsert(client, id, ...texts.map(({ text }) => text))
  for (const { text } of texts) {
    const found = await query(client, id, { query: text, mode: 'vector', minScore: 1 })
    expect(found.map((fragment) => fragment.text)).toEqual([text])
  }
})

test('an answer to more begins with the answer to fewer, whatever fills it up', async () => {
  const id = await makeDatastore(client)
  const some = [
    'Bees make honey.',
    'Of honeycombs, hives, and much else.',
    'Foxes dig dens.',
    'Make bread.',
  ]
  await upsert(client, id, ...some)
  for (const mode of Object.values(QueryMode)) {
    const ask = (topK: number) => query(client, id, { query: 'honey bees', mode, topK })
    const all = await ask(some.length)
    for (let topK = 1; topK < some.length; topK++) {
      expect(await ask(topK), mode).toEqual(all.slice(0, topK))
    }
  }
})

test('what has nothing to do with the question gains nothing from what answers it', async () => {
  const id = await makeDatastore(client)
  await upsert(client, id, 'Bees make honey.', 'Interest rates.', 'A rocket burns methane.')
  for (const asked of ['honey bees', 'methane', 'rates']) {
    const [best, ...others] = await query(client, id, { query: asked })
    expect(best!.score).toBeGreaterThan(0.3)
    for (const { score } of others) expect(score).toBeLessThan(best!.score / 5)
  }
})

test('a manual that has all the best pages is not behind one page that is like them', async () => {
  const body = { name: 'manuals', fragmentLength: 200 }
  const { data } = await sdk.createDatastore({ client, body, throwOnError: true })
  const manual = (pages: string[]) => pages.map((page, n) => `# Page ${n}\n\n${page}`).join('\n\n')
  const undo = (file: number) =>
    `Undo: a patch is taken back, and so is each line of file ${file} that it has changed since, with what was written below it.`
  const [meant] = await upsert(
    client,
    data.id,
    manual(Array.from({ length: 12 }, (_, file) => undo(file))),
    manual([
      'Print the paper and cut it to the size of the book.',
      'Fold the paper and lay one sheet into the other.',
      'Bind the book with a thread of cotton, which holds for many years.',
      'Sell the book at the fair in spring, where all that read come together.',
      'To undo a patch by hand, take the file as it was before, and print it in place of what it became later.',
    ]),
  )
  for (const asked of ['undo a patch', 'undo a patch of a file', 'how do I undo a patch']) {
    const [best] = await query(client, data.id, { query: asked })
    expect(best!.datasource_id, asked).toBe(meant)
  }
})

test('one rare word of a long text, such as an error code, scores above a question that nothing answers', async () => {
  const id = await makeDatastore(client)
  const codes = ['E0106', 'E0382', 'E0499', 'E0502', 'E0597']
  const random = new Random(1)
  const syllable = () => random.pick([...'bdfgklmnprst']) + random.pick([...'aeiou'])
  const words = Array.from({ length: 200 }, () => syllable() + syllable() + syllable())
  const page = (code: string) =>
    `${code}: ${Array.from({ length: 250 }, () => random.pick(words)).join(' ')}`
  await upsert(client, id, ...codes.map(page))
  const bestOf = async (asked: string) => (await query(client, id, { query: asked }))[0]!
  const { score: ofNothing } = await bestOf(`how to ${words[0]} a car tyre`)
  for (const code of codes) {
    const { score, text } = await bestOf(code)
    expect(text.startsWith(code)).toBe(true)
    expect(score).toBeGreaterThan(3 * ofNothing)
  }
})

test('400: a mode or minScore that is none is named', async () => {
  const id = await makeDatastore(client)
  const places = async (fields: object) => {
    const body = JSON.stringify({ query: 'x', ...fields })
    const response = await send(url, 'POST', `/datastores/${id}/query`, { body })
    expect(response.status).toBe(400)
    return placesOf(response)
  }
  for (const minScore of [1.1, -1.1, '0.5', [0.5]]) {
    expect(await places({ minScore })).toEqual(['/minScore'])
  }
  for (const mode of ['semantic', 'Hybrid', '', 1]) {
    expect(await places({ mode })).toContain('/mode')
  }
  expect(await places({ minScore: 2, mode: 'semantic' })).toEqual(
    expect.arrayContaining(['/minScore', '/mode']),
  )
})
