import type { Precondition, Revision } from '../domain/precondition.ts'

/** A strong entity tag. Revision 0 stands for a record that was never written. */
export const etagOf = ({ rev }: { rev: Revision }) => ({ ETag: rev === 0 ? '"none"' : `"${rev}"` })

type Conditions = { [name in 'if-match' | 'if-none-match']?: string | undefined }

/** RFC 9110, 13.1. `If-Match` is `*` or strong tags; `If-None-Match` is `*`, the only value for a change. */
export function preconditionOf({
  'if-match': match,
  'if-none-match': none,
}: Conditions): Precondition {
  const isMatch = matcherOf(match)
  return (rev) => isMatch(rev) && (none === undefined || rev === undefined)
}

function matcherOf(ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined) return () => true
  if (ifMatch.trim() === '*') return (rev) => rev !== undefined
  const tags: string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return (rev) => rev !== undefined && tags.includes(etagOf({ rev }).ETag)
}
