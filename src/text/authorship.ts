import { tokensOfWord } from './tokens.ts'

const asking =
  /\bwho(?:\s+\p{L}+ly)?\s+(?<does>wrote|made|created|authored|developed|programmed)\b|\bwho(?:['’]s|\s+(?:is|are|was|were))\s+the\s+(?<is>authors?|writers?|creators?)\b/iu

/** The word of a question such as `Who wrote it?` that texts say as `Written by`, or below `Authors`. */
export function authorshipIn(question: string): string | undefined {
  const { does, is } = asking.exec(question)?.groups ?? {}
  return (does ?? is)?.toLowerCase()
}

export const authorshipTerms: readonly string[] = [
  'author',
  'authored',
  'written',
  'wrote',
].flatMap((text) => tokensOfWord({ text, kind: 'spaced' }).terms)
