import type { BodySchema } from './body-schema.ts'

/** The deprecated members of a body, with the time since when, in seconds since 1970. */
export type Deprecations = ReadonlyMap<string, number>

export function deprecationsOf({ properties = {} }: BodySchema): Deprecations {
  const dated = Object.entries(properties).flatMap(([name, property]) => {
    const since = property['x-deprecated-since']
    return since === undefined ? [] : [[name, Date.parse(since) / 1000] as const]
  })
  return new Map(dated)
}

export const usedDeprecations = (deprecations: Deprecations, body: unknown): string[] =>
  typeof body === 'object' && body !== null
    ? [...deprecations.keys()].filter((name) => Object.hasOwn(body, name))
    : []

/** Headers of RFC 9745. The link leads to the replacement. */
export function deprecationHeaders(
  deprecations: Deprecations,
  used: string[],
  docs: string,
): Record<string, string> {
  if (used.length === 0) return {}
  const since = Math.min(...used.map((name) => deprecations.get(name)!))
  return { Deprecation: `@${since}`, Link: `<${docs}>; rel="deprecation"; type="text/html"` }
}
