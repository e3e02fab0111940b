import type { Precondition } from '../domain/precondition.ts'

/** A strong entity tag; revision 0 is of what was never written. */
export const etagOf = ({ rev }: { rev: number }) => ({ ETag: rev === 0 ? '"none"' : `"${rev}"` })

/** `If-Match` (RFC 9110, 13.1.1) takes any version, or strong tags; weak ones never match. */
export function preconditionOf(ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined) return () => true
  if (ifMatch.trim() === '*') return (rev) => rev !== undefined
  const tags: string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return (rev) => rev !== undefined && tags.includes(etagOf({ rev }).ETag)
}
