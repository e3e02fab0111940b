import type { Embedder } from '../embeddings/embedder.ts'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors/provider-errors.ts'
import type { Deadline } from '../process/deadline.ts'
import { WriteSlice } from '../process/time-slice.ts'
import type { Fragments } from '../store/store.ts'
import type { DocumentVersion, Fragment } from '../store/types.ts'
import { splitText } from '../text/splitting/split-text.ts'
import { TableHeads } from '../text/splitting/table-heads.ts'
import { tokensOf } from '../text/tokens.ts'
import type { Datastore } from './datastores.ts'
import type { NewDocument, Pages } from './documents.ts'
import { embedFor } from './embedding.ts'
import type { LabelBudget } from './label-budget.ts'

export type WriteParts = { fragments: Fragments; embedder: Embedder; labels: LabelBudget }

type FragmentDraft = Omit<Fragment, 'vector'> & { input: string }

export async function splitAll(
  contents: NewDocument[],
  fragmentLength: number,
  signal: AbortSignal,
): Promise<FragmentDraft[][]> {
  const slice = new WriteSlice()
  const split: FragmentDraft[][] = []
  for (const content of contents) {
    const drafts: FragmentDraft[] = []
    for (const draft of draftsOf(content, fragmentLength)) {
      drafts.push(draft)
      await slice.pause()
      signal.throwIfAborted()
    }
    split.push(drafts)
  }
  return split
}

function* draftsOf(
  { name = '', text: whole, pages }: NewDocument,
  fragmentLength: number,
): Generator<FragmentDraft> {
  const pageStarts = pageStartsOf(pages, whole)
  const heads = new TableHeads(whole)
  for (const { start, end, headings } of splitText(whole, fragmentLength, pageStarts)) {
    const text = whole.slice(start, end)
    const head = heads.at(start)
    const above = head ? [...headings, whole.slice(head.start, head.end)] : headings
    const input = inputOf(name, above, text)
    yield { offset: start, text, input, words: encodedTokens(input) }
  }
}

/** Where pages begin, except within a sentence, where no blank line is above the page. */
const pageStartsOf = (pages: Pages | undefined, text: string): number[] =>
  pages?.filter((start) => text.startsWith('\n\n', start - 2)) ?? []

/** The text that is embedded and analysed: a fragment below its document's name and its headings. */
const inputOf = (name: string, headings: readonly string[], text: string): string =>
  [name, ...headings, text.trim()].filter((part) => part !== '').join('\n')

const encodedTokens = (input: string): Uint8Array => Buffer.from(tokensOf(input))

/** The fragments of a document with the words that they have below its name. Their boundaries stay. */
export async function withNewWords(
  { name, fragments }: DocumentVersion,
  signal: AbortSignal,
): Promise<Fragment[]> {
  const slice = new WriteSlice()
  const renewed: Fragment[] = []
  for (const fragment of fragments) {
    renewed.push({ ...fragment, words: encodedTokens(inputOf(name, [], fragment.text)) })
    await slice.pause()
    signal.throwIfAborted()
  }
  return renewed
}

type Vectors = ReadonlyMap<string, Float32Array>

/** The stored vectors of a content, by the texts of its fragments. */
type StoredVectorsOf = (index: number) => Promise<Vectors | undefined>

/** A provider embeds only texts whose vectors are not known. @throws as `embedFor` */
export async function embeddedFragments(
  datastore: Datastore,
  embedder: Embedder,
  contents: NewDocument[],
  { signal }: Pick<Deadline, 'signal'>,
  storedOf?: StoredVectorsOf,
): Promise<Fragment[][]> {
  const split = await splitAll(contents, datastore.value.fragmentLength, signal)
  const known = embedder.isModel && storedOf ? await knownVectors(split, storedOf) : []
  const unknown = split.flatMap((drafts, n) => drafts.filter(({ text }) => !known[n]?.has(text)))
  const inputs = [...new Set(unknown.map(({ input }) => input))]
  const made = await embedFor(datastore, embedder, 'document', inputs, signal).catch(
    (error: unknown) => {
      throw nothingStored(error, (refused) => placeOf(inputs[refused]!, split))
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

/** Reads one content after another, and keeps only the vectors needed, because stored texts may be long. */
async function knownVectors(
  split: FragmentDraft[][],
  storedOf: StoredVectorsOf,
): Promise<Vectors[]> {
  const known: Vectors[] = []
  for (const [index, fragments] of split.entries()) {
    const vectors = await storedOf(index)
    const kept = fragments.flatMap(({ text }) => {
      const vector = vectors?.get(text)
      return vector ? [[text, vector] as const] : []
    })
    known.push(new Map(kept))
  }
  return known
}

/** Adds to an embedding failure of a write which text was refused, and that nothing was stored. */
function nothingStored(error: unknown, placeIn: (refused: number) => string): unknown {
  const isFailure = error instanceof EmbeddingFailed
  if (isFailure && error.refused !== undefined) {
    error.message += ` It refuses ${placeIn(error.refused)}.`
  }
  if (isFailure || error instanceof EmbeddingTimeout) error.message += ' Nothing was stored.'
  return error
}

/** Where an input stands first in the texts of documents. */
function placeOf(refused: string, split: FragmentDraft[][]): string {
  const document = split.findIndex((drafts) => drafts.some(({ input }) => input === refused))
  const { offset, text } = split[document]!.find(({ input }) => input === refused)!
  const whole = split.length > 1 ? `/documents/${document}` : 'the text'
  return `characters ${offset} to ${offset + text.length} of ${whole}`
}
