import { join } from 'node:path'
import type { Found, Hit } from '../src/store/fragments/found.ts'
import { Bm25 } from './bm25.ts'
import type { Text } from './collection.ts'
import type { Version } from './run.ts'
import type { Mode } from './service.ts'
import type { Retrieval } from './contenders.ts'

const fragmentLength = 2_000
/** As many as the service ranks. */
const candidates = 48

type Modules = typeof import('../src/domain/fragments.ts') &
  typeof import('../src/embeddings/hashing-embedder.ts') &
  typeof import('../src/retrieval/query-terms.ts') &
  typeof import('../src/retrieval/ranking.ts')

/** How a version cuts, embeds, asks and ranks. */
async function modulesOf({ checkout }: Version): Promise<Modules> {
  const files = ['domain/fragments', 'embeddings/hashing-embedder']
  const ofQueries = ['retrieval/query-terms', 'retrieval/ranking']
  const loaded = [...files, ...ofQueries].map(
    (file) => import(join(checkout, 'src', `${file}.ts`)) as Promise<Partial<Modules>>,
  )
  return Object.assign({}, ...(await Promise.all(loaded))) as Modules
}

/** A version's own ranking of texts in memory, over BM25 in the place of LanceDB's: fast, and its order. */
export async function inMemory(
  version: Version,
  texts: Text[],
): Promise<(mode: Mode) => Retrieval> {
  const modules = await modulesOf(version)
  const embedder = new modules.HashingEmbedder()
  const { signal } = new AbortController()
  const contents = texts.map(({ text }) => ({ text, name: '' }))
  const split = await modules.splitAll(contents, fragmentLength, signal)
  const pieces = split.flatMap((some, document) =>
    some.map((piece, position) => {
      const { number } = texts[document]!
      return { ...piece, position, fragmentCount: some.length, datasourceId: number }
    }),
  )
  const inputs = pieces.map(({ input }) => input)
  const vectors = await embedder.embed(inputs, signal)
  const rest = { name: '', source: '', updatedAt: '' }
  const fragments = pieces.map((piece, place): Found => {
    const { datasourceId, position, fragmentCount, offset, text } = piece
    const at = { datasourceId, position, fragmentCount, offset }
    return { ...rest, ...at, text, vector: vectors[place]! }
  })
  const index = new Bm25(pieces.map(({ words }) => Buffer.from(words).toString()))
  const statistics = {
    fragments: fragments.length,
    documentFrequencies: (tokens: readonly string[]) =>
      tokens.map((token) => index.documentFrequency(token)),
  }

  const search = async (query: string, topK: number, mode: Mode) => {
    const [vector] = await embedder.embed([query], signal)
    const nearest = () => byScore(modules.byVector(fragments, vector!))
    if (mode === 'vector') return nearest()
    const terms = modules.queryTerms(query, statistics)
    const best = index.search(terms.asked, Math.max(candidates, 1.5 * topK))
    const hits = best.map(({ place, score }): Hit => ({ found: fragments[place]!, score }))
    if (mode === 'keyword') return byScore(modules.byWords(hits, terms))
    const held = new Set(hits.map(({ found }) => found))
    const missing = Math.max(0, topK - hits.length)
    const others = missing === 0 ? [] : nearest().filter(({ found }) => !held.has(found))
    for (const { found } of others.slice(0, missing)) hits.push({ found, score: 0 })
    return byScore(modules.byBoth(hits, terms, vector!, false))
  }
  return (mode) => ({
    name: `${version.name}, ${mode}`,
    ask: async (query, topK) => {
      const found = (await search(query, topK, mode)).slice(0, topK)
      const firsts = Map.groupBy(found, (one) => one.found.datasourceId)
      return Array.from(firsts, ([number, [first]]) => ({ number, score: first!.score }))
    },
  })
}

const byScore = <Item extends { score: number }>(items: Item[]): Item[] =>
  items.toSorted((one, other) => other.score - one.score)
