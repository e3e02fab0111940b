import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Fragment } from '../store/types.ts'
import { splitText } from '../text/splitting/split-text.ts'
import { TableHeads } from '../text/splitting/table-heads.ts'
import type { NewDocument, Pages } from './documents.ts'
import { inputOf, encodedTokens } from './fragment-words.ts'

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
