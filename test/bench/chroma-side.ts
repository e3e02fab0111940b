import type { Text } from './collection.ts'
import type { JobProcess } from './job-process.ts'
import { vectorsOf } from './nearness.ts'
import { chroma, loadFrom, type Plan, type Side } from './side.ts'

const database = '/api/v2/tenants/default_tenant/databases/default_database'
const headers = { 'Content-Type': 'application/json' }
const textsAnAdd = 500

/**
 * Stores the texts in Chroma with what a result of the service holds, in a collection as it comes but
 * for the distance. Its server makes no vectors, so that both stored and asked are ready-made ones,
 * and the service alone is timed with making them.
 */
export async function chromaSide(
  url: string,
  texts: Text[],
  { questions, topK, pace, clients }: Plan,
  generator: JobProcess,
): Promise<Side> {
  const post = postTo(url)
  const configuration = { hnsw: { space: 'cosine' } }
  const { id } = await post<{ id: string }>(
    `${database}/collections`,
    JSON.stringify({ name: 'bench', configuration }),
  )
  const collection = `${database}/collections/${id}`
  for (let start = 0; start < texts.length; start += textsAnAdd) {
    const some = texts.slice(start, start + textsAnAdd)
    await post(`${collection}/add`, JSON.stringify(await recordsOf(some)))
  }
  const path = `${collection}/query`
  const vectors = await vectorsOf(questions)
  const bodies = vectors.map((vector) => bodyOf(vector, topK))
  return {
    name: chroma,
    clients,
    async ask(query, depth) {
      const [vector] = await vectorsOf([query])
      const { ids } = await post<{ ids: string[][] }>(path, bodyOf(vector!, depth))
      return ids[0]!
    },
    load: loadFrom(generator, { url, path, headers, bodies }, pace),
  }
}

async function recordsOf(texts: Text[]) {
  const vectors = await vectorsOf(texts.map(({ text }) => text))
  return {
    ids: texts.map(({ number }) => number),
    embeddings: vectors.map((vector) => Array.from(vector)),
    documents: texts.map(({ text }) => text),
    metadatas: texts.map(({ number }) => ({
      datasource_id: number,
      datasource_name: '',
      source: '',
    })),
  }
}

const bodyOf = (vector: Float32Array, topK: number): string =>
  JSON.stringify({
    query_embeddings: [Array.from(vector)],
    n_results: topK,
    include: ['documents', 'metadatas', 'distances'],
  })

const postTo =
  (url: string) =>
  async <Answer>(path: string, body: string): Promise<Answer> => {
    const answer = await fetch(url + path, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`Chroma: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
