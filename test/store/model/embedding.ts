import { HashingEmbedder } from '../../../src/embeddings/hashing-embedder.ts'
import { recordedError, sendJson, vectorOf } from '../../support/provider.ts'
import type { Conditions } from './shelf.ts'
import type { World } from './world.ts'

const hashing = new HashingEmbedder()
const known = new Map<string, Float32Array>()

export const isBuiltIn = (model: string): boolean => model === hashing.model

/** The vector a text must have been given, in a datastore of that model. */
export async function vector(model: string, text: string): Promise<Float32Array> {
  if (!isBuiltIn(model)) return Float32Array.from(vectorOf(text))
  const found = known.get(text)
  if (found) return found
  const [made] = await hashing.embed([text], new AbortController().signal)
  known.set(text, made!)
  return made!
}

export const conditionsOf = ({ hasProvider }: World, fails: boolean): Conditions => ({
  model: hasProvider ? 'stand-in-5' : hashing.model,
  isModel: hasProvider,
  fails,
})

/** Does the work while the provider refuses to embed, if it is to. */
export async function whileItFails<T>(
  { provider }: World,
  fails: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const error = recordedError('invalid_request_error', null, 'Not this one.')
  if (fails) provider.behaviour = (_, response) => sendJson(response, 403, error)
  try {
    return await work()
  } finally {
    provider.behaviour = undefined
  }
}
