import type { Judgements, Text } from './collection.ts'
import { borders, cosine, nearnessRecall, vectorsOf } from './nearness.ts'
import { ndcg } from './ndcg.ts'
import { askAll, type Answer } from './rounds.ts'
import { hybridMode, type Side } from './side.ts'

/**
 * How good what a side finds is: means over the collection's queries. One that does not look for the
 * nearest vectors alone has no recall of them.
 */
export type Finding = { side: string; recall: number | undefined; ndcg: number }

const depth = 10
/** So many pieces come from at least ten documents, as a rule. */
const pieces = 100

/** Of each side, whether it finds the nearest vectors there are, and how well its answers are judged. */
export async function measureFindings(
  sides: Side[],
  texts: Text[],
  queries: Text[],
  judgements: Judgements,
): Promise<Finding[]> {
  const nearest = await askAll(sides, queries, depth)
  const recallOf = await recallAmong(texts, queries)
  const judged = await askAll(sides, queries, pieces)
  const ndcgOf = ({ query, ranked }: Answer) =>
    ndcg(documentsOf(ranked), judgements.get(query.number)!, depth)
  return sides.map(({ name }, index) => ({
    side: name,
    recall: name === hybridMode ? undefined : mean(nearest[index]!.map(recallOf)),
    ndcg: mean(judged[index]!.map(ndcgOf)),
  }))
}

async function recallAmong(texts: Text[], queries: Text[]): Promise<(answer: Answer) => number> {
  const vectors = await vectorsOf(texts.map(({ text }) => text))
  const asked = await vectorsOf(queries.map(({ text }) => text))
  const tenth = await borders(asked, vectors, depth)
  const placeOf = new Map(texts.map(({ number }, place) => [number, place]))
  const queryOf = new Map(queries.map((query, place) => [query, place]))
  return ({ query, ranked }) => {
    const place = queryOf.get(query)!
    const cosines = ranked.map((number) => cosine(vectors[placeOf.get(number)!]!, asked[place]!))
    return nearnessRecall(cosines, tenth[place]!, Math.min(depth, texts.length))
  }
}

/** The documents that the pieces were cut from, each where its first piece stands. */
export const documentsOf = (ranked: string[]): string[] => [
  ...new Set(ranked.map((number) => number.slice(0, number.lastIndexOf('+')))),
]

const mean = (numbers: number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length
