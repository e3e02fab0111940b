import { connect, Index, MatchQuery } from '@lancedb/lancedb'
import type { Text } from './collection.ts'
import { callLoad, type Load, type Pace } from './load.ts'
import type { Contender } from './contenders.ts'
import { vectorsOf } from './vectors.ts'

export const rawVectors = 'LanceDB, vector'
export const rawWords = 'LanceDB, full text'

const columns = ['text', 'source', 'datasource_id', 'name']

/**
 * LanceDB alone in this process, as who knows it well would use it, with callers in the same process:
 * one table of what an answer needs, ready-made vectors with the kind of index that the service has,
 * and the full-text index as it comes.
 */
export async function lanceContenders(
  started: AsyncDisposableStack,
  directory: string,
  texts: Text[],
  questions: string[],
  pace: Pace,
): Promise<Contender[]> {
  const connection = await connect(directory)
  started.defer(() => connection.close())
  const vectors = await vectorsOf(texts.map(({ text }) => text))
  const rows = texts.map(({ number, text }, place) => {
    return { text, source: '', datasource_id: number, name: '', vector: vectors[place]! }
  })
  const table = await connection.createTable('fragments', rows)
  const numPartitions = Math.max(1, Math.round(texts.length / 6_144))
  const config = Index.ivfRq({ distanceType: 'cosine', numBits: 4, numPartitions })
  await table.createIndex('vector', { config })
  await table.createIndex('text', { config: Index.fts() })

  const nearest = async (vector: Float32Array, topK: number) => {
    const search = table.query().nearestTo(vector).distanceType('cosine').nprobes(50).limit(topK)
    const found = await search.select([...columns, '_distance']).toArray()
    return found.map((row) => ({ number: String(row.datasource_id), score: 1 - row._distance }))
  }
  const matching = async (query: string, topK: number) => {
    const search = table.query().fullTextSearch(new MatchQuery(query, 'text')).limit(topK)
    const found = await search.select([...columns, '_score']).toArray()
    return found.map((row) => ({ number: String(row.datasource_id), score: Number(row['_score']) }))
  }
  const asked = await vectorsOf(questions)
  const load = (search: (question: number) => Promise<unknown>, callers: number): Promise<Load> => {
    let next = 0
    return callLoad(() => search(next++ % questions.length), callers, pace)
  }
  return [
    {
      name: rawVectors,
      clients: [1, 16],
      ask: async (query, topK) => await nearest((await vectorsOf([query]))[0]!, topK),
      load: (callers) => load((question) => nearest(asked[question]!, 10), callers),
    },
    {
      name: rawWords,
      clients: [1],
      ask: matching,
      load: (callers) => load((question) => matching(questions[question]!, 10), callers),
    },
  ]
}

/** One document an `add` by 16 callers, ready to be stored, and nothing on the disk when it is done. */
export async function rawAdds(
  directory: string,
  nextText: () => string,
  pace: Pace,
): Promise<Load> {
  const connection = await connect(directory)
  const [vector] = await vectorsOf([nextText()])
  const empty = { batch: '', name: '', metadata: '', source: '', createdAt: '', updatedAt: '' }
  const row = () => {
    const text = nextText()
    return { id: text, text, offset: 0, vector, ...empty }
  }
  const table = await connection.createTable('raw', [row()])
  const load = await callLoad(() => table.add([row()]), 16, pace)
  connection.close()
  return load
}
