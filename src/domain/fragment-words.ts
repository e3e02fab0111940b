import { TimeSlice } from '../scheduling/time-slice.ts'
import type { DocumentVersion, Fragment, StoredVersion } from '../store/types.ts'
import { tokensOf } from '../text/tokens.ts'

/** The text that is embedded and analysed: a fragment below its document's name and its headings. */
export const inputOf = (name: string, headings: readonly string[], text: string): string =>
  [name, ...headings, text.trim()].filter((part) => part !== '').join('\n')

export const encodedTokens = (input: string): Uint8Array => Buffer.from(tokensOf(input))

/** Analyses documents anew. The boundaries of their fragments stay. */
export async function withNewWords(
  documents: StoredVersion[],
  signal: AbortSignal,
): Promise<DocumentVersion[]> {
  const slice = new TimeSlice()
  const renewed: DocumentVersion[] = []
  for (const document of documents) {
    const fragments: Fragment[] = []
    for (const fragment of document.fragments) {
      fragments.push({
        ...fragment,
        words: encodedTokens(inputOf(document.name, [], fragment.text)),
      })
      await slice.pause()
      signal.throwIfAborted()
    }
    renewed.push({ ...document, fragments })
  }
  return renewed
}
