import { TimeSlice } from '../scheduling/time-slice.ts'
import type { DocumentVersion, Fragment } from '../store/types.ts'
import { tokensOf } from '../text/tokens.ts'

/** The text that is embedded and analysed: a fragment below its document's name and its headings. */
export const inputOf = (name: string, headings: readonly string[], text: string): string =>
  [name, ...headings, text.trim()].filter((part) => part !== '').join('\n')

export const encodedTokens = (input: string): Uint8Array => Buffer.from(tokensOf(input))

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
