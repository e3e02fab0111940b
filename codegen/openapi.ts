/** The parts of an OpenAPI document that are changed before it is served. */
export type Reference = { $ref: string }
export type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
}
export type Parameter = { name: string; in: string; schema: Schema }
export type Example = { summary: string; value: { [member: string]: unknown } }
export type Media = { schema: Schema; examples?: Record<string, Example | Reference> }
export type Answer = { content?: Record<string, Media> }
export type Operation = {
  operationId: string
  description?: string
  security?: { bearer?: string[] }[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { 'x-max-bytes'?: number; content: Record<string, Media> }
  responses: Record<string, Answer | Reference>
}
export type PathItem = { parameters?: (Parameter | Reference)[] } & {
  [method in (typeof methods)[number]]?: Operation
}
export type Document = {
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Example>
    responses?: Record<string, Answer>
    headers?: Record<string, { example?: unknown }>
  }
  'x-problems'?: Record<string, { title: string; status: number }>
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

export const operationsOf = (item: PathItem): Operation[] =>
  methods.flatMap((method) => item[method] ?? [])

/** The target of a reference, or the node itself. */
export function resolved<T extends object>(document: Document, node: T | Reference): T {
  if (!('$ref' in node) || node.$ref === undefined) return node as T
  const steps = node.$ref.split('/').slice(1)
  const found = steps.reduce<object>(
    (parent, key) => new Map(Object.entries(parent)).get(key),
    document,
  )
  return resolved(document, found as T | Reference)
}
