import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { OpenAPIBackend, type Options } from 'openapi-backend'
import { parseInstant } from '../metadata/instant.ts'
import type { ParsedRequest } from './exchange.ts'
import { addKeywords } from './keywords.ts'

export type ContractDocument = NonNullable<OpenAPIBackend['document']>

type Handling = Pick<Options, 'handlers' | 'securityHandlers'>

/** The backend of a document, made once however many servers a process starts. */
export function backendOf(document: ContractDocument, handling: Handling): Promise<OpenAPIBackend> {
  const made = backends.get(document) ?? openBackend(document, handling)
  backends.set(document, made)
  return made
}

const backends = new WeakMap<ContractDocument, Promise<OpenAPIBackend>>()

/** Requests come matched and parsed: it would match slowly, ignore a trailing slash, and parse before it knows the key. */
async function openBackend(
  document: ContractDocument,
  handling: Handling,
): Promise<OpenAPIBackend> {
  const definition = structuredClone(document)
  removeMappings(definition)
  readContents(definition)
  readFiles(definition)
  mergeReferences(definition)
  const backend = new OpenAPIBackend({
    definition,
    strict: true,
    // Skips a check for OpenAPI 3.0 only, and compiling all inputs, which is most of a start.
    quick: true,
    coerceTypes: true,
    customizeAjv: createAjvFactory(),
    ...handling,
  })
  await backend.init()
  backend.router.matchOperation = (parsed) => (parsed as ParsedRequest).operation
  backend.router.parseRequest = (parsed) => parsed as ParsedRequest as never
  return backend
}

/** The validator refuses a mapping. It finds a value's schema by its members. */
function removeMappings({ components }: ContractDocument): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('discriminator' in schema) delete schema.discriminator?.mapping
  }
}

type TextSchema = { contentSchema?: object; maxLength?: number }

/** A text that holds JSON is validated as that JSON, once `request-target.ts` has parsed it. */
function readContents({ components }: ContractDocument): void {
  const schemas: Record<string, object> = components?.schemas ?? {}
  for (const [name, schema] of Object.entries(schemas)) {
    const { contentSchema, maxLength }: TextSchema = schema
    if (contentSchema) schemas[name] = { allOf: [contentSchema], 'x-json-text': maxLength }
  }
}

/** A form or a file is validated as the result of `body.ts`, in which a file is no text. */
function readFiles({ paths, components }: ContractDocument): void {
  const schemas: Record<string, object> = components?.schemas ?? {}
  for (const [name, schema] of Object.entries(schemas)) {
    if ('format' in schema && schema.format === 'binary') schemas[name] = { 'x-file': true }
  }
  for (const item of Object.values(paths ?? {})) {
    for (const { requestBody } of [item?.post ?? {}, item?.put ?? {}]) {
      const { content } = (requestBody ?? {}) as { content?: Record<string, object> }
      const media = content?.['multipart/form-data'] ?? content?.['application/octet-stream']
      if (content && media) content['application/json'] = media
    }
  }
}

type Node = { [member: string]: unknown }

/** Merges members beside a reference into its target, and follows references to references: a quick start does neither. */
export function mergeReferences(document: object): void {
  const merged = new Map<object, object>()
  const visit = (value: unknown): unknown => {
    if (!isNode(value)) return value
    const known = merged.get(value)
    if (known) return known
    if (typeof value.$ref === 'string' && isBare(document, value)) return value
    const whole = followed(document, value)
    // Set before its members, because a schema may hold itself.
    merged.set(value, whole)
    for (const [name, member] of Object.entries(whole)) whole[name] = visit(member)
    return whole
  }
  visit(document)
}

/** Whether openapi-backend follows the reference unchanged. */
const isBare = (document: object, { $ref, ...beside }: Node): boolean =>
  Object.keys(beside).length === 0 && typeof at(document, $ref).$ref !== 'string'

function followed(document: object, node: Node): Node {
  const { $ref, ...beside } = node
  if (typeof $ref !== 'string') return node
  return { ...followed(document, at(document, $ref)), ...beside }
}

/** @throws if the reference leads nowhere */
function at(document: object, $ref: unknown): Node {
  const found = String($ref)
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document)
  if (!isNode(found)) throw new Error(`The contract's ${String($ref)} leads nowhere.`)
  return found
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** For openapi-backend's `customizeAjv`: the contract's dialect is JSON Schema 2020-12. */
function createAjvFactory(): NonNullable<Options['customizeAjv']> {
  const made = new Map<unknown, Ajv2020>()
  return (_shipped, options, context) => {
    const ajv = made.get(context) ?? createAjv(options)
    made.set(context, ajv)
    return ajv
  }
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    useDefaults: true,
    // Of several schemas the one of the value's `type` reports what is wrong.
    discriminator: true,
    // `violations.ts` reads the broken schema.
    verbose: true,
    // Ajv would take `0x10` and `1e1` for integers, so `request-target.ts` reads them.
    coerceTypes: false,
  })
  addFormats.default(ajv)
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('visible', isVisible)
  ajv.addFormat('instant', (text: string) => parseInstant(text) !== undefined)
  ajv.addVocabulary(['example', 'xml', 'externalDocs', 'x-pattern-detail', 'x-deprecated-since'])
  addKeywords(ajv)
  return ajv
}

const shipped = addFormats.default.get('date-time', 'full') as {
  validate: (text: string) => boolean
}

/** RFC 3339. The shipped format also takes a blank for the `T`, `+0100`, and leap seconds, which no `Date` holds. */
const isDateTime = (text: string): boolean =>
  /^.{10}T.{6}[0-5].*(?:Z|[+-]\d\d:\d\d)$/i.test(text) && shipped.validate(text)

/** Whether a text has a visible character. A pattern in the contract could name few. */
const isVisible = (text: string): boolean =>
  /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u.test(text)
