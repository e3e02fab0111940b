import type { Embedder } from '../embeddings/embedder.ts'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors/provider-errors.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { Fragment } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { embedFor } from './embedding.ts'
import type { NewDocument } from './documents.ts'
import { type FragmentDraft, splitAll } from './splitting.ts'

type Vectors = ReadonlyMap<string, Float32Array>

/** The vectors that a content had until now, by the texts of its fragments. */
type Before = (index: number) => Promise<Vectors | undefined>

/** A provider embeds only texts whose vectors are not known. @throws as `embedFor` */
export async function embeddedFragments(
  datastore: Datastore,
  embedder: Embedder,
  contents: NewDocument[],
  { signal }: Pick<Deadline, 'signal'>,
  before?: Before,
): Promise<Fragment[][]> {
  const split = await splitAll(contents, datastore.value.fragmentLength, signal)
  const known = embedder.isModel && before ? await knownVectors(split, before) : []
  const unknown = split.flatMap((drafts, n) => drafts.filter(({ text }) => !known[n]?.has(text)))
  const inputs = [...new Set(unknown.map(({ input }) => input))]
  const made = await embedFor(datastore, embedder, 'document', inputs, signal).catch(
    (error: unknown) => {
      throw nothingStored(error)
    },
  )
  const vectors = new Map(inputs.map((input, index) => [input, made[index]!]))
  return split.map((fragments, index) =>
    fragments.map(({ input, ...fragment }) => {
      const vector = known[index]?.get(fragment.text) ?? vectors.get(input)!
      return { ...fragment, vector }
    }),
  )
}

/** Reads one content after another, and keeps only what is asked for, because former texts may be long. */
async function knownVectors(split: FragmentDraft[][], before: Before): Promise<Vectors[]> {
  const known: Vectors[] = []
  for (const [index, fragments] of split.entries()) {
    const vectors = await before(index)
    const kept = fragments.flatMap(({ text }) => {
      const vector = vectors?.get(text)
      return vector ? [[text, vector] as const] : []
    })
    known.push(new Map(kept))
  }
  return known
}

/** Adds to an embedding failure of a write that nothing was stored. */
function nothingStored(error: unknown): unknown {
  if (error instanceof EmbeddingFailed || error instanceof EmbeddingTimeout) {
    error.message += ' Nothing was stored.'
  }
  return error
}
