import * as fc from 'fast-check'
import { expect } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { type Fragment, QueryMode } from '../../../generated/types.gen.ts'
import { type Answer, answerOf, expectAnswer, notFound, ok } from './answer.ts'
import { conditionsOf, whileItFails } from './embedding.ts'
import { type Findings, findingsOf, type Hit } from './ranking.ts'
import { type Kept, refusalOf, type Shelf } from './shelf.ts'
import { metadataCases, number, textOf } from './values.ts'
import { find, stepOf, target, whoever, type World } from './world.ts'

const ids = fc.option(
  fc.array(fc.constantFrom<string>('ann', 'bob', "o'nobody"), { maxLength: 2 }),
  {
    nil: undefined,
  },
)
const places = fc.option(fc.array(number, { maxLength: 3 }), { nil: undefined, freq: 2 })

export const query = stepOf(
  'query',
  fc.record({
    asker: whoever,
    store: target,
    about: fc.nat(30),
    topK: fc.constantFrom(1, 3, 100, 100),
    mode: fc.constantFrom(...Object.values(QueryMode)),
    minScore: fc.constantFrom(undefined, undefined, 0, 0.2),
    customIds: ids,
    datasources: places,
    fails: fc.nat(9).map((n) => n === 0),
  }),
  async (world, asked) => {
    const { asker, store, about, topK, mode, minScore, customIds, datasources, fails } = asked
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
        body: { query: text, topK, filters, mode, ...(minScore !== undefined && { minScore }) },
      })
    const answer = await answerOf(whileItFails(world, fails, call))
    if (!thing) return expectAnswer(answer, notFound('datastore', id))
    // Words need no embedder.
    const refusal = mode !== 'keyword' && refusalOf(thing, conditionsOf(world, fails), true, false)
    if (refusal) return expectAnswer(answer, refusal)
    const matching = documents.filter(
      (document) =>
        datasourceIds?.includes(document.id) !== false &&
        (!customIds || customIdsOf(document).some((one) => customIds.includes(one))),
    )
    await expectHits(answer, { shelf: thing, documents: matching, text, mode, topK, minScore })
  },
)

type Asked = {
  shelf: Shelf
  /** Those that the filters match. */
  documents: Kept[]
  text: string
  mode: QueryMode
  topK: number
  minScore?: number | undefined
}

async function expectHits(answer: Answer, asked: Asked): Promise<void> {
  const { shelf, documents, text, mode, topK, minScore = -1 } = asked
  const findings = await findingsOf(shelf, documents, text, mode, topK)
  const found = answer.body as Fragment[]
  const hits = hitsOf(found, findings.hits)
  expectAnswer(answer, ok(found.map(({ score }, index) => shownHit(hits[index], score))))
  expectOrder(found, minScore)
  if (mode === QueryMode.VECTOR) return expectNearest(found, findings.hits, topK, minScore)
  if (minScore > 0) return
  if (findings.count !== undefined) expect(found).toHaveLength(findings.count)
  if (findings.areTermsFirst) expectTerms(hits, findings)
}

/** What is found by words: every fragment that there is, and none that was. */
export async function expectWords(world: World, shelf: Shelf): Promise<void> {
  const { id, documents } = shelf
  const topK = 100
  for (const about of [1, 3]) {
    const text = textOf({ about, lines: 1 })
    const body = { query: text, mode: QueryMode.KEYWORD, topK }
    const call = sdk.queryDatastore({ client: world.client(shelf.who), path: { id }, body })
    const answer = await answerOf(call)
    await expectHits(answer, { shelf, documents, text, mode: body.mode, topK })
  }
}

const customIdsOf = ({ metadata }: Kept): string[] => metadataCases[metadata]!.customIds

/** The model's own of what was found, each fragment once; undefined for what is not to be found. */
function hitsOf(found: Fragment[], hits: Hit[]): (Hit | undefined)[] {
  const left = [...hits]
  return found.map(({ text, datasource_id }) => {
    const index = left.findIndex((one) => one.text === text && one.datasourceId === datasource_id)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  })
}

function shownHit(hit: Hit | undefined, score: number): unknown {
  if (!hit) return 'not to be found'
  const { text, name, source, datasourceId } = hit
  return { text, score, source, datasource_id: datasourceId, datasource_name: name }
}

/** Best first, equal scores by id, in range and none below what was asked for. */
function expectOrder(found: Fragment[], minScore: number): void {
  found.forEach(({ score, datasource_id }, index) => {
    expect(score).toBeGreaterThanOrEqual(minScore)
    expect(score).toBeLessThanOrEqual(1)
    const next = found[index + 1]
    const isInOrder =
      !next || next.score < score || (next.score === score && next.datasource_id >= datasource_id)
    expect(isInOrder).toBe(true)
  })
}

/** As many as there may be, and none that is left out is better. */
function expectNearest(found: Fragment[], hits: Hit[], topK: number, minScore: number): void {
  const best = hits
    .map(({ score }) => score!)
    .toSorted((a, b) => b - a)
    .slice(0, topK)
    .filter((score) => score >= minScore)
  expect(found.map(({ score }) => score)).toEqual(best)
}

/** What has nothing of the query is only found where all that has a term of it is. */
function expectTerms(hits: (Hit | undefined)[], findings: Findings): void {
  const isFilled = hits.some((hit) => hit?.words === 'none')
  const withTerms = (some: (Hit | undefined)[]) => some.filter((hit) => hit?.words === 'terms')
  if (isFilled) expect(withTerms(hits)).toHaveLength(withTerms(findings.hits).length)
}
