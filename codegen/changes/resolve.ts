export type Node = { [member: string]: unknown }

/** What only explains. */
export const prose = new Set([
  'x-pattern-detail',
  'description',
  'title',
  'summary',
  '$comment',
  'deprecated',
  'x-deprecated-since',
  'externalDocs',
  'examples',
])

/** A node of a document with the name it has among the components, where it has one. */
export type Place = { document: Node; node: unknown; name?: string | undefined }

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The node with its references followed. Members beside a reference win. */
export function resolve({ document, node }: Place): { node: Node; name?: string | undefined } {
  if (!isNode(node)) return { node: {} }
  const { $ref, ...own } = node
  if (typeof $ref !== 'string') return { node }
  const { node: target } = resolve({ document, node: at(document, $ref) })
  const isSame = Object.keys(own).every((keyword) => prose.has(keyword))
  return { node: { ...target, ...own }, name: isSame ? $ref : undefined }
}

/** What a reference leads to; undefined where there is nothing. */
export const at = (document: Node, $ref: string): unknown =>
  $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (isNode(found) ? found[key] : undefined), document)

/** The members of an object, none where there is no object. */
export const membersOf = (value: unknown): [string, unknown][] =>
  isNode(value) ? Object.entries(value) : []

/** A value as a line shows it. */
export const shown = (value: unknown): string => JSON.stringify(value) ?? 'none'

/** A value as JSON whose members are sorted, to compare by. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, child: unknown) =>
    isNode(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  ) ?? ''
