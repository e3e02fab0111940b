type Json = { [member: string]: unknown }

/** A JSON Merge Patch (RFC 7396). */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) members.delete(member)
    else members.set(member, merged(members.get(member), value))
  }
  return Object.fromEntries(members)
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
