import type { Scope } from '../../generated/types.gen.ts'
import type { DefinedTool, Tool } from './tool.ts'

type Operation = {
  operationId?: string
  security: { bearer?: Scope[] }[]
  requestBody?: {
    'x-max-bytes': number
    content: { 'application/json': { schema: { $ref: string } } }
  }
  'x-mcp-tool': {
    name: string
    title: string
    description: string
    /** Members of the operation's body. */
    body?: string[]
    /** What the tool takes beside them; all of it is required. */
    properties?: Schemas
  }
}

export type ToolDocument = {
  info: { title: string; summary: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas }
}

/** A tool with what the contract says of it. @throws when the contract says nothing */
export function define(tool: Tool, document: ToolDocument): DefinedTool {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operation = operations.find(({ operationId }) => operationId === tool.operationId)
  const said = operation?.['x-mcp-tool']
  if (!said) throw new Error(`The contract says nothing of a tool at ${tool.operationId}.`)
  const { name, title, description } = said
  const { schemas } = document.components
  return {
    ...tool,
    name,
    title,
    description: description.trim(),
    inputSchema: standalone(inputOf(operation, schemas), schemas),
    scopes: operation.security.flatMap(({ bearer = [] }) => bearer),
    maxBodyBytes: operation.requestBody?.['x-max-bytes'] ?? 0,
  }
}

function inputOf({ requestBody, 'x-mcp-tool': said }: Operation, schemas: Schemas): Schema {
  const { properties: own = {}, body = [] } = said
  const name = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? ''
  const { properties = {}, required = [] } = (schemas[name] ?? {}) as BodySchema
  const chosen = Object.fromEntries(body.map((member) => [member, properties[member] ?? {}]))
  return {
    type: 'object',
    additionalProperties: false,
    required: [...Object.keys(own), ...body.filter((member) => required.includes(member))],
    properties: { ...own, ...chosen },
  }
}

type BodySchema = { properties?: Schemas; required?: string[] }

type Schema = Record<string, unknown>
type Schemas = Record<string, Schema>

/** A schema with what it refers to in it, or in its `$defs`, without our own keywords, formats and examples. */
function standalone(schema: Schema, schemas: Schemas): Schema {
  const $defs: Schemas = {}
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...rest } = node as Schema
    const known = Object.entries(rest).filter(([keyword]) => !isLeftOut(keyword))
    const copied = Object.fromEntries(known.map(([keyword, value]) => [keyword, copy(value)]))
    return typeof $ref === 'string' ? { ...referred($ref), ...copied } : copied
  }
  const referred = ($ref: string): Schema => {
    const name = $ref.split('/').at(-1)!
    const target = schemas[name]!
    if (!JSON.stringify(target).includes('"$ref"')) return copy(target) as Schema
    if (!(name in $defs)) {
      // It may refer to itself.
      $defs[name] = {}
      $defs[name] = copy(target) as Schema
    }
    return { $ref: `#/$defs/${name}` }
  }
  const whole = copy(schema) as Schema
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs }
}

const isLeftOut = (keyword: string): boolean =>
  keyword.startsWith('x-') || ['discriminator', 'format', 'examples'].includes(keyword)
