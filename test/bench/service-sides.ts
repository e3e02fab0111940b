import type { QueryMode } from '../../generated/types.gen.ts'
import type { Text } from './collection.ts'
import type { JobProcess } from './job-process.ts'
import { type Stored, storeInService } from './served-datastore.ts'
import { hybridMode, loadFrom, type Plan, type Side, vectorMode } from './side.ts'

const modes: { mode: QueryMode; name: string }[] = [
  { mode: 'vector', name: vectorMode },
  { mode: 'hybrid', name: hybridMode },
]

export type Service = { url: string; key: string }

/** Stores the texts in the service; a side for each mode that uses vectors. */
export async function serviceSides(
  service: Service,
  texts: Text[],
  plan: Plan,
  generator: JobProcess,
): Promise<Side[]> {
  const stored = await storeInService(service.url, service.key, texts)
  return sidesOf(service, stored, plan, generator)
}

/** A side of what is stored already for each mode that uses vectors. */
export function sidesOf(
  { url, key }: Service,
  { datastoreId, retrievals }: Stored,
  { questions, topK, pace, clients, honoursRetryAfter }: Plan,
  generator: JobProcess,
): Side[] {
  const path = `/datastores/${datastoreId}/query`
  return modes.map(({ mode, name }) => {
    const bodies = questions.map((query) => JSON.stringify({ query, topK, mode }))
    const { ask } = retrievals.find((retrieval) => retrieval.name === mode)!
    const target = { url, path, headers: headersOf(key), bodies, honoursRetryAfter }
    return { name, clients, ask, load: loadFrom(generator, target, pace) }
  })
}

/** What a request to the service carries. */
export const headersOf = (key: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
})
