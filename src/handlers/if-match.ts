import type { Precondition } from '../domain/agents.ts'

/** An agent's strong entity tag. */
export const etagOf = (agent: { rev: number }): { ETag: string } => ({ ETag: `"${agent.rev}"` })

/** What `If-Match` asks for (RFC 9110, 13.1.1): any version, or one of its strong tags; weak ones never match. */
export function preconditionOf(ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true
  const tags: string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return (rev) => tags.includes(etagOf({ rev }).ETag)
}
