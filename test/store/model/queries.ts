import * as fc from 'fast-check'
import { expect } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { Fragment } from '../../../generated/types.gen.ts'
import { answerOf, expectAnswer, notFound, ok } from './answer.ts'
import { conditionsOf, cosine, whileItFails } from './embedding.ts'
import { fragmentsOf, type Kept, refusalOf, type Shelf } from './shelf.ts'
import { metadataCases, number, textOf } from './values.ts'
import { find, stepOf, target, whoever } from './world.ts'

const ids = fc.option(
  fc.array(fc.constantFrom<string>('ann', 'bob', "o'nobody"), { maxLength: 2 }),
  {
    nil: undefined,
  },
)
const places = fc.option(fc.array(number, { maxLength: 3 }), { nil: undefined, freq: 2 })

/** How far a score in single precision may be from ours. */
const closeBy = 1e-4

export const query = stepOf(
  'query',
  fc.record({
    asker: whoever,
    store: target,
    about: fc.nat(30),
    topK: fc.constantFrom(1, 3, 100, 100),
    customIds: ids,
    datasources: places,
    fails: fc.nat(9).map((n) => n === 0),
  }),
  async (world, { asker, store, about, topK, customIds, datasources, fails }) => {
    const { id, thing } = find(world.shelves, asker, store)
    const documents = thing?.documents ?? []
    const datasourceIds = datasources?.map((n) => documents[n % documents.length]?.id ?? "no'id")
    const text = textOf({ about, lines: 1 })
    const filters = {
      ...(customIds && { custom_ids: customIds }),
      ...(datasourceIds && { datasource_ids: datasourceIds }),
    }
    const call = () =>
      sdk.queryDatastore({
        client: world.client(asker),
        path: { id },
        body: { query: text, topK, filters },
      })
    const answer = await answerOf(whileItFails(world, fails, call))
    if (!thing) return expectAnswer(answer, notFound('datastore', id))
    const refusal = refusalOf(thing, conditionsOf(world, fails), true)
    if (refusal) return expectAnswer(answer, refusal)
    const matching = documents.filter(
      (document) =>
        datasourceIds?.includes(document.id) !== false &&
        (!customIds || customIdsOf(document).some((one) => customIds.includes(one))),
    )
    const found = answer.body as Fragment[]
    const scored = await scoredFragments(thing, matching, text)
    expectAnswer(answer, ok(matched(found, scored)))
    expectBest(found, scored, topK)
  },
)

const customIdsOf = ({ metadata }: Kept): string[] => metadataCases[metadata]!.customIds

/** Every fragment of the documents as it must be found. */
function scoredFragments(shelf: Shelf, documents: Kept[], text: string): Promise<Fragment[]> {
  const { embeddingModel } = shelf.shown
  return Promise.all(
    documents.flatMap(({ id, name, metadata, text: whole }) =>
      fragmentsOf(whole).map(async (fragment) => ({
        text: fragment,
        score: await cosine(embeddingModel, text, fragment),
        source: metadataCases[metadata]!.source,
        datasource_id: id,
        datasource_name: name,
      })),
    ),
  )
}

/** What was found in the model's words: each fragment once, its score as it was where it is right. */
function matched(found: Fragment[], scored: Fragment[]): unknown[] {
  const left = [...scored]
  return found.map(({ text, datasource_id, score }) => {
    const index = left.findIndex((one) => one.text === text && one.datasource_id === datasource_id)
    const [one] = index < 0 ? [] : left.splice(index, 1)
    return one && Math.abs(one.score - score) < closeBy
      ? { ...one, score }
      : (one ?? 'not to be found')
  })
}

/** As many as there may be, and none that is left out is better. */
function expectBest(found: Fragment[], scored: Fragment[], topK: number): void {
  const best = scored
    .map(({ score }) => score)
    .toSorted((a, b) => b - a)
    .slice(0, topK)
  expect(found).toHaveLength(best.length)
  found.forEach(({ score, datasource_id }, index) => {
    expect(Math.abs(score - best[index]!)).toBeLessThan(closeBy)
    const next = found[index + 1]
    const isInOrder =
      !next || next.score < score || (next.score === score && next.datasource_id >= datasource_id)
    expect(isInOrder).toBe(true)
  })
}
