import type { QueryMode } from '../../generated/types.gen.ts'
import type { Text } from './collection.ts'
import type { JobProcess } from './job-process.ts'
import { storeInService } from './served-datastore.ts'
import { hybridMode, loadFrom, type Plan, type Side, vectorMode } from './side.ts'

const modes: { mode: QueryMode; name: string }[] = [
  { mode: 'vector', name: vectorMode },
  { mode: 'hybrid', name: hybridMode },
]

/** Stores the texts in the service; a side for each mode that uses vectors. */
export async function serviceSides(
  { url, key }: { url: string; key: string },
  texts: Text[],
  { questions, topK, pace, clients }: Plan,
  generator: JobProcess,
): Promise<Side[]> {
  const { datastoreId, retrievals } = await storeInService(url, key, texts)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const path = `/datastores/${datastoreId}/query`
  return modes.map(({ mode, name }) => {
    const bodies = questions.map((query) => JSON.stringify({ query, topK, mode }))
    const { ask } = retrievals.find((retrieval) => retrieval.name === mode)!
    const load = loadFrom(generator, { url, path, headers, bodies }, pace)
    return { name, clients, ask, load }
  })
}
