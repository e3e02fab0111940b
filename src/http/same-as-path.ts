import type { Violation } from '../../generated/types.gen.ts'

/**
 * The members of a body that have the name of a path parameter, and are not what stands in the path:
 * what was got can be sent back whole, but not to another place.
 */
export function unlikePath(body: unknown, params: Record<string, string>): Violation[] {
  if (typeof body !== 'object' || body === null) return []
  const members = new Map(Object.entries(body))
  return Object.entries(params)
    .filter(([name, value]) => typeof members.get(name) === 'string' && members.get(name) !== value)
    .map(([name]) => ({ pointer: `/${name}`, detail: `must be the ${name} in the path` }))
}
