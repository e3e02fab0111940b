import { TimeSlice } from '../scheduling/time-slice.ts'
import type { DocumentVersion, Fragment } from '../store/types.ts'
import { splitText } from '../text/splitting/split-text.ts'
import { TableHeads } from '../text/splitting/table-heads.ts'
import { tokensOf } from '../text/tokens.ts'
import type { NewDocument, Pages } from './documents.ts'

export type FragmentDraft = Omit<Fragment, 'vector'> & { input: string }

export async function splitAll(
  contents: NewDocument[],
  fragmentLength: number,
  signal: AbortSignal,
): Promise<FragmentDraft[][]> {
  const slice = new TimeSlice()
  const split: FragmentDraft[][] = []
  for (const { name = '', text: whole, pages } of contents) {
    const fragments: FragmentDraft[] = []
    const heads = new TableHeads(whole)
    const borders = bordersOf(pages, whole)
    for (const { start, end, headings } of splitText(whole, fragmentLength, borders)) {
      const text = whole.slice(start, end)
      const head = heads.at(start)
      const above = head ? [...headings, whole.slice(head.start, head.end)] : headings
      const input = inputOf(name, above, text)
      fragments.push({ offset: start, text, input, words: encodedTokens(input) })
      await slice.pause()
      signal.throwIfAborted()
    }
    split.push(fragments)
  }
  return split
}

/** Where pages begin, except in a sentence that goes on over their border: no empty line stands there. */
const bordersOf = (pages: Pages | undefined, text: string): number[] =>
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
  const slice = new TimeSlice()
  const renewed: Fragment[] = []
  for (const fragment of fragments) {
    renewed.push({ ...fragment, words: encodedTokens(inputOf(name, [], fragment.text)) })
    await slice.pause()
    signal.throwIfAborted()
  }
  return renewed
}
