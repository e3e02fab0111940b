import type { Embedder } from '../embeddings/embedder.ts'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors/provider-errors.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { Fragment } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { embedFor } from './embedding.ts'
import type { NewDocument } from './documents.ts'
import { splitAll } from './splitting.ts'

type Vectors = ReadonlyMap<string, Float32Array>

/** Embeds only texts whose vectors are not known. @throws as `embedFor` */
export async function embeddedFragments(
  datastore: Datastore,
  embedder: Embedder,
  contents: NewDocument[],
  { signal }: Pick<Deadline, 'signal'>,
  known: Vectors = new Map(),
): Promise<Fragment[][]> {
  const split = await splitAll(contents, datastore.value.fragmentLength, signal)
  const unknown = split.flat().filter(({ text }) => !known.has(text))
  const inputs = [...new Set(unknown.map(({ input }) => input))]
  const made = await embedFor(datastore, embedder, 'document', inputs, signal).catch(
    (error: unknown) => {
      throw nothingStored(error)
    },
  )
  const vectors = new Map(inputs.map((input, index) => [input, made[index]!]))
  return split.map((fragments) =>
    fragments.map(({ input, ...fragment }) => {
      const vector = known.get(fragment.text) ?? vectors.get(input)!
      return { ...fragment, vector }
    }),
  )
}

/** The fragments of a changed content. A provider embeds only new texts. */
export async function renewedFragments(
  datastore: Datastore,
  embedder: Embedder,
  content: NewDocument,
  deadline: Deadline,
  stored: Vectors | undefined,
): Promise<Fragment[]> {
  const known = embedder.isRemote ? stored : undefined
  const [fragments] = await embeddedFragments(datastore, embedder, [content], deadline, known)
  return fragments!
}

/** Adds to an embedding failure of a write that nothing was stored. */
function nothingStored(error: unknown): unknown {
  if (error instanceof EmbeddingFailed || error instanceof EmbeddingTimeout) {
    error.message += ' Nothing was stored.'
  }
  return error
}
