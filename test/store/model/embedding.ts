import { HashingEmbedder } from '../../../src/embeddings/hashing-embedder.ts'
import { recordedError, sendJson, vectorOf } from '../../support/provider.ts'
import type { Conditions } from './shelf.ts'
import type { World } from './world.ts'

const hashing = new HashingEmbedder()
const known = new Map<string, ArrayLike<number>>()

/** The vector a text must have been given, in a datastore of that model. */
async function vector(model: string, text: string): Promise<ArrayLike<number>> {
  if (model !== hashing.model) return vectorOf(text)
  const found = known.get(text)
  if (found) return found
  const [made] = await hashing.embed([text], new AbortController().signal)
  known.set(text, made!)
  return made!
}

export async function cosine(model: string, one: string, other: string): Promise<number> {
  const [a, b] = [await vector(model, one), await vector(model, other)]
  const product = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, value, index) => sum + value * y[index]!, 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

export const conditionsOf = ({ hasProvider }: World, fails: boolean): Conditions => ({
  model: hasProvider ? 'stand-in-5' : hashing.model,
  isRemote: hasProvider,
  fails,
})

/** Does the work while the provider refuses to embed, if it is to. */
export async function whileItFails<T>(
  { provider }: World,
  fails: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const error = recordedError('invalid_request_error', null, 'Not this one.')
  if (fails) provider.behaviour = (_, response) => sendJson(response, 400, error)
  try {
    return await work()
  } finally {
    provider.behaviour = undefined
  }
}
