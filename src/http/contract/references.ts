type Node = { [member: string]: unknown }

/**
 * Puts what stands beside a reference into a copy of what it leads to, and shortens references to references:
 * openapi-backend's quick start would drop the one, and stop at the other.
 */
export function mergeReferences(document: object): void {
  const merged = new Map<object, object>()
  const visit = (value: unknown): unknown => {
    if (!isNode(value)) return value
    const known = merged.get(value)
    if (known) return known
    if (typeof value.$ref === 'string' && isBare(document, value)) return value
    const whole = followed(document, value)
    // Before its members, for a schema may hold itself.
    merged.set(value, whole)
    for (const [name, member] of Object.entries(whole)) whole[name] = visit(member)
    return whole
  }
  visit(document)
}

/** Whether openapi-backend follows it as it stands. */
const isBare = (document: object, { $ref, ...beside }: Node): boolean =>
  Object.keys(beside).length === 0 && typeof at(document, $ref).$ref !== 'string'

function followed(document: object, node: Node): Node {
  const { $ref, ...beside } = node
  if (typeof $ref !== 'string') return node
  return { ...followed(document, at(document, $ref)), ...beside }
}

/** @throws when nothing is there */
function at(document: object, $ref: unknown): Node {
  const found = String($ref)
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document)
  if (!isNode(found)) throw new Error(`The contract's ${String($ref)} leads nowhere.`)
  return found
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
