import type { BodySchema } from './body-schema.ts'

/** The members of a body that are deprecated, by the time since when, in seconds since 1970. */
export type Deprecations = ReadonlyMap<string, number>

export function deprecationsOf({ properties = {} }: BodySchema): Deprecations {
  const dated = Object.entries(properties).flatMap(([name, property]) => {
    const since = property['x-deprecated-since']
    return since === undefined ? [] : [[name, Date.parse(since) / 1000] as const]
  })
  return new Map(dated)
}

/** Those that a body has. */
export const usedDeprecations = (deprecations: Deprecations, body: unknown): string[] =>
  typeof body === 'object' && body !== null
    ? [...deprecations.keys()].filter((name) => Object.hasOwn(body, name))
    : []

/** Tells of them in the answer (RFC 9745); the link leads to what stands in their place. */
export function deprecationHeaders(
  deprecations: Deprecations,
  used: string[],
  docs: string,
): Record<string, string> {
  if (used.length === 0) return {}
  const since = Math.min(...used.map((name) => deprecations.get(name)!))
  return { Deprecation: `@${since}`, Link: `<${docs}>; rel="deprecation"; type="text/html"` }
}
