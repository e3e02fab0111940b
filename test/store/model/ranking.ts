import type { QueryMode } from '../../../generated/types.gen.ts'
import { minCandidates } from '../../../src/retrieval/candidates.ts'
import { byVector } from '../../../src/retrieval/ranking.ts'
import { type Found, normalized } from '../../../src/store/fragments/found.ts'
import { tokensOf } from '../../../src/text/tokens.ts'
import { isBuiltIn, vector } from './embedding.ts'
import { fragmentsOf, inputOf, type Kept, type Shelf } from './shelf.ts'
import { metadataCases } from './values.ts'

/** A fragment that may be found; `score` where it is known to the digit. */
export type Hit = Found & { score: number | undefined; words: 'terms' | 'grams' | 'none' }

/** Which fragments an answer must and may hold. */
export type Findings = {
  hits: Hit[]
  /** How many are found, before `minScore`; undefined where that hangs on what an index measures. */
  count: number | undefined
  /** Whether every fragment with a term of the query stands before any that has none of its tokens. */
  areTermsFirst: boolean
}

/**
 * What of the documents is found. By vectors every score is known; by words LanceDB measures, by
 * counts that lag behind what is written, so that only which fragments are found is.
 */
export async function findingsOf(
  shelf: Shelf,
  documents: Kept[],
  query: string,
  mode: QueryMode,
  topK: number,
): Promise<Findings> {
  const { embeddingModel } = shelf.shown
  const found = (await Promise.all(documents.map((one) => foundIn(embeddingModel, one)))).flat()
  const asked = tokensIn(query)
  const wordsOf = ({ name, text }: Found): Hit['words'] => {
    const shared = [...tokensIn(inputOf(name, text))].filter((token) => asked.has(token))
    if (shared.some((token) => !token.startsWith('#'))) return 'terms'
    return shared.length > 0 ? 'grams' : 'none'
  }
  const hits = found.map((one) => ({ ...one, score: undefined, words: wordsOf(one) }))
  if (mode === 'vector') {
    const scored = byVector(found, await vector(embeddingModel, query))
    const exact = scored.map(({ found: one, score }) => ({ ...one, score, words: wordsOf(one) }))
    return { hits: exact, count: Math.min(topK, found.length), areTermsFirst: false }
  }
  if (mode === 'keyword') {
    const held = hits.filter(({ words }) => words !== 'none')
    const withTerms = held.filter(({ words }) => words === 'terms').length
    // Not every gram of a query is asked for.
    const isCertain = withTerms === held.length || withTerms >= topK
    return {
      hits: held,
      count: isCertain ? Math.min(topK, held.length) : undefined,
      areTermsFirst: false,
    }
  }
  const isWhole = isBuiltIn(embeddingModel) || found.length <= minCandidates
  return {
    hits,
    count: isWhole ? Math.min(topK, found.length) : undefined,
    areTermsFirst: isBuiltIn(embeddingModel),
  }
}

const tokensIn = (text: string): Set<string> => new Set(tokensOf(text).split(' ').filter(Boolean))

function foundIn(model: string, kept: Kept): Promise<Found[]> {
  const { id, text, name, metadata, updatedAt, embedded } = kept
  const { source } = metadataCases[metadata]!
  const fragments = fragmentsOf(text)
  return Promise.all(
    fragments.map(async (fragment, position) => ({
      datasourceId: id,
      position,
      fragmentCount: fragments.length,
      offset: 0,
      text: fragment,
      name,
      source,
      updatedAt,
      vector: normalized(await vector(model, embedded.get(fragment)!)),
    })),
  )
}
