import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from '../test/support/contract.ts'
import type { Text } from './collection.ts'
import { httpLoad, inTurn, type Pace } from './load.ts'
import { whenIdle } from './processes.ts'
import type { Contender } from './contenders.ts'
import { vectorsOf } from './vectors.ts'

export const chromaName = 'Chroma, vector'

const peer = join(root, 'test/peers/chroma')
const program = join(peer, 'node_modules/.bin/chroma')
const api = '/api/v2/tenants/default_tenant/databases/default_database/collections'
const headers = { 'Content-Type': 'application/json' }
const textsAnAdd = 500

/** Chroma's own server, once it answers. It is too large to come with what the tests need. */
async function startChroma(started: AsyncDisposableStack, directory: string) {
  if (!existsSync(program)) execFileSync('npm', ['ci', '--prefix', peer, '--ignore-scripts'])
  // Chroma cannot choose a free one itself.
  const port = 20_000 + (process.pid % 20_000)
  const args = ['run', '--path', directory, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  started.defer(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => (await fetch(`${url}/api/v2/heartbeat`)).ok
  while (!(await isUp().catch(() => false))) {
    await Promise.race([setTimeout(100), gone])
    if (child.exitCode !== null) throw new Error('Chroma does not start.')
  }
  return { url, pid: child.pid! }
}

/**
 * Stores the texts in Chroma with what a result of the service holds, in a collection as it comes but
 * for the distance. Its server makes no vectors, so that both stored and asked are ready-made ones,
 * and the service alone is timed with making them.
 */
export async function chromaContender(
  started: AsyncDisposableStack,
  directory: string,
  texts: Text[],
  questions: string[],
  pace: Pace,
): Promise<Contender> {
  const { url, pid } = await startChroma(started, directory)
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(url + path, init)
    if (!answer.ok) throw new Error(`Chroma: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const configuration = { hnsw: { space: 'cosine' } }
  const { id } = await post<{ id: string }>(api, { name: 'bench', configuration })
  for (let start = 0; start < texts.length; start += textsAnAdd) {
    const some = texts.slice(start, start + textsAnAdd)
    const documents = some.map(({ text }) => text)
    const embeddings = (await vectorsOf(documents)).map((vector) => Array.from(vector))
    const ids = some.map(({ number }) => number)
    const metadatas = ids.map((one) => ({ datasource_id: one, datasource_name: '', source: '' }))
    await post(`${api}/${id}/add`, { ids, embeddings, documents, metadatas })
  }
  await whenIdle(pid)
  const path = `${api}/${id}/query`
  const bodies = (await vectorsOf(questions)).map((vector) => JSON.stringify(queryOf(vector, 10)))
  return {
    name: chromaName,
    clients: [1, 16, 64, 128],
    async ask(query, topK) {
      const [vector] = await vectorsOf([query])
      const { ids } = await post<{ ids: string[][] }>(path, queryOf(vector!, topK))
      return ids[0]!.map((number) => ({ number, score: 0 }))
    },
    load: (clients) => httpLoad({ url, path, headers, next: inTurn(bodies) }, clients, pace),
  }
}

function queryOf(vector: Float32Array, topK: number) {
  const include = ['documents', 'metadatas', 'distances']
  return { query_embeddings: [Array.from(vector)], n_results: topK, include }
}
