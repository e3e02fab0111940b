import type { Scope } from '../../generated/types.gen.ts'
import type { DefinedTool, InputSchema, Tool } from './tool.ts'

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
    body?: string[]
    /** Further arguments of the tool, and keywords that replace those of the members in `body`. */
    properties?: Schemas
    /** Which of `properties` are required, beside what the operation requires. */
    required?: string[]
  }
}

export type ToolDocument = {
  info: { title: string; summary: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas }
}

/** A tool with its name, description and input from the contract. @throws if the contract has no `x-mcp-tool` for it */
export function define(tool: Tool, document: ToolDocument): DefinedTool {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operation = operations.find(({ operationId }) => operationId === tool.operationId)
  const declared = operation?.['x-mcp-tool']
  if (!declared) throw new Error(`The contract says nothing of a tool at ${tool.operationId}.`)
  const { name, title, description } = declared
  return {
    ...tool,
    name,
    title,
    description: onOneLine(description),
    inputSchema: inputOf(operation, document.components.schemas),
    scopes: operation.security.flatMap(({ bearer = [] }) => bearer),
    maxBodyBytes: operation.requestBody?.['x-max-bytes'] ?? 0,
  }
}

/** What a tool takes. Each conversation of an assistant holds it, so it is short. */
function inputOf(
  { requestBody, 'x-mcp-tool': declared }: Operation,
  schemas: Schemas,
): InputSchema {
  const { properties: own = {}, body = [], required: needed = [] } = declared
  const { properties = {}, required = [] } = resolved(
    requestBody?.content['application/json'].schema ?? {},
    schemas,
  ) as BodySchema
  const names = [...new Set([...Object.keys(own), ...body])]
  const shown = names.map((name) => {
    const ofBody = body.includes(name) ? brief(resolved(properties[name] ?? {}, schemas)) : {}
    return [name, tidied({ ...ofBody, ...own[name] })]
  })
  return {
    type: 'object',
    additionalProperties: false,
    required: [...needed, ...body.filter((member) => required.includes(member))],
    properties: Object.fromEntries(shown),
  }
}

type BodySchema = { properties?: Schemas; required?: string[] }

type Schema = Record<string, unknown>
type Schemas = Record<string, Schema>

const resolved = ({ $ref, ...rest }: Schema, schemas: Schemas): Schema =>
  typeof $ref === 'string' ? { ...schemas[$ref.split('/').at(-1)!], ...rest } : rest

/** The operations check the rest, and say what is wrong in words. */
const keywords = new Set(['type', 'minimum', 'maximum', 'default'])

const brief = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.has(keyword)))

const tidied = ({ description, ...rest }: Schema): Schema =>
  typeof description === 'string' ? { ...rest, description: onOneLine(description) } : rest

const onOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')
