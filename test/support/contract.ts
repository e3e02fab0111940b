import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

export type Header = { required?: boolean; schema: object }
export type Media = { schema: object; examples?: Record<string, { value: Json }> }
export type Link = {
  operationId: string
  parameters: Record<string, string>
  'x-request-body'?: Record<string, string | string[]>
}
export type Answer = {
  headers?: Record<string, Header>
  content?: Record<string, Media>
  links?: Record<string, Link>
}
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: { [keyword: string]: Json }
}
export type Operation = {
  operationId: string
  tags: string[]
  description: string
  method: string
  path: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; 'x-max-bytes'?: number; content: Record<string, Media> }
  responses: Record<string, Answer>
}

export const root = join(import.meta.dirname, '../..')
/** `generated/openapi.json`, the document as it is served, must say the same. */
const file = join(root, process.env.CONTRACT ?? 'openapi.yaml')

/** The contract as written, its references still in it. */
export const document = parse(readFileSync(file, 'utf8'))

const visible = new RegExp(
  String.raw`[^\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]`,
)

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  allErrors: true,
  // The service's own.
  formats: { visible, instant: true, binary: true },
})
addFormats.default(ajv)
ajv.addSchema(closed(document) as object, 'contract')

/** Every operation of the contract; references outside of schemas are resolved. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({
      ...withoutReferences(operation),
      method: method.toUpperCase(),
      path,
      parameters: withoutReferences([
        ...(operation.parameters ?? []),
        ...((item as { parameters?: Parameter[] }).parameters ?? []),
      ]),
    })),
)

export function operationFor(method: string, path: string): Operation | undefined {
  return operations.find(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  )
}

const validators = new Map<object, ValidateFunction>()

/** What is wrong with a value by a schema of the contract; undefined when nothing is. */
export function complaint(schema: object, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(closed(atContract(schema)) as object)
  validators.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Answers may grow, but not unseen: objects that the contract leaves open hold here only what it names. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const children = Object.entries(node).map(([key, child]) => [key, closed(child)])
  const isOpen = 'properties' in node && !('additionalProperties' in node)
  return Object.fromEntries([...(isOpen ? [['additionalProperties', false]] : []), ...children])
}

/** Resolves references but those to schemas, which the validator resolves itself. */
function withoutReferences<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutReferences) as T
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) {
    return $ref.startsWith('#/components/schemas/') ? node : withoutReferences(at($ref) as T)
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [key, withoutReferences(child)]),
  ) as T
}

function at(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((node, key) => node[key], document)
}

function atContract(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(atContract)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      key === '$ref' && typeof child === 'string' ? `contract${child}` : atContract(child),
    ]),
  )
}
