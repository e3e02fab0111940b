/**
 * What the server needs from the contract besides the client generator's output: an exhaustive map of operations
 * for typed handlers, the defaults, the lengths, and the problem catalogue.
 */
type Schema = {
  $ref?: string
  default?: unknown
  maxLength?: number
  properties?: Record<string, Schema>
  'x-json-limits'?: object
}
export type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
}
export type Operation = {
  operationId: string
  summary?: string
  description?: string
  security?: { bearer?: string[] }[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
type Content = Record<string, { schema: Schema }>
type PathItem = Record<string, Operation>
type Problem = { status: number; title: string; meaning: string; remedy: string }
export type Contract = {
  info: { version: string }
  paths: Record<string, PathItem>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
  'x-problems': Record<string, Problem>
}

const banner = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n'
const methods = ['get', 'put', 'post', 'delete', 'patch']

/** The source of `operations.gen.ts`: per operationId the request, its defaults and the answers. */
export function operationsSource(contract: Contract): string {
  const entries = Object.values(contract.paths)
    .flatMap((item) => methods.flatMap((method) => item[method] ?? []))
    .map((operation) => operationSource(contract, operation))
  return [
    banner,
    "import type * as contract from './types.gen.ts'\n\n",
    '/** Every operation by its operationId. `defaults` names what the server fills in when absent, `events` what a stream is of. */\n',
    'export type Operations = {\n',
    ...entries,
    '}\n',
  ].join('')
}

/** The source of `defaults.gen.ts`: the defaults of schemas. */
export const defaultsSource = (contract: Contract): string =>
  keywordSource(contract, 'default', 'defaults')

/** The source of `json-limits.gen.ts`: how large and how deep free-form values may be. */
export const jsonLimitsSource = (contract: Contract): string =>
  keywordSource(contract, 'x-json-limits', 'jsonLimits')

/** The source of `max-lengths.gen.ts`: how many characters schemas take. */
export const maxLengthsSource = (contract: Contract): string =>
  keywordSource(contract, 'maxLength', 'maxLengths')

/** The values of a keyword, by the names of their schemas. */
function keywordSource(
  { components }: Contract,
  keyword: 'default' | 'x-json-limits' | 'maxLength',
  constant: string,
): string {
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = schemas.flatMap(([name, { [keyword]: value }]) =>
    value === undefined ? [] : `  ${name}: ${JSON.stringify(value)},\n`,
  )
  return [banner, `export const ${constant} = {\n`, ...lines, '} as const\n'].join('')
}

/** The source of `version.gen.ts`. */
export const versionSource = ({ info }: Contract): string =>
  `${banner}export const contractVersion = '${info.version}'\n`

/** The source of `problems.gen.ts`; it compiles only while the catalogue and `ProblemCode` agree. */
export function problemsSource(contract: Contract): string {
  const catalogue = JSON.stringify(contract['x-problems'], null, 2)
  return [
    banner,
    "import type { ProblemCode } from './types.gen.ts'\n\n",
    'export type ProblemKind = { status: number; title: string; meaning: string; remedy: string }\n\n',
    `export const problems: Record<ProblemCode, ProblemKind> = ${catalogue}\n`,
  ].join('')
}

function operationSource(contract: Contract, operation: Operation): string {
  const { operationId } = operation
  const name = operationId[0]?.toUpperCase() + operationId.slice(1)
  return [
    `  ${operationId}: {\n`,
    `    data: contract.${name}Data\n`,
    `    responses: contract.${name}Responses\n`,
    `    events: ${eventType(operation)}\n`,
    `    defaults: { body: ${union(bodyDefaults(contract, operation))}; query: ${union(queryDefaults(contract, operation))} }\n`,
    '  }\n',
  ].join('')
}

/** The type of the events of an operation that may answer with a stream. */
function eventType({ responses }: Operation): string {
  const { $ref } = responses['200']?.content?.['text/event-stream']?.schema ?? {}
  return $ref === undefined ? 'never' : `contract.${lastSegment($ref)}`
}

function bodyDefaults(contract: Contract, operation: Operation): string[] {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {}
  const body = schema.$ref ? target(contract, schema.$ref) : schema
  return Object.entries(body.properties ?? {})
    .filter(([, property]) => hasDefault(contract, property))
    .map(([key]) => key)
}

/** A property's default is in the schema it refers to: beside `$ref`, generators take the property for required. */
const hasDefault = (contract: Contract, schema: Schema): boolean =>
  schema.default !== undefined ||
  (schema.$ref !== undefined && hasDefault(contract, target(contract, schema.$ref)))

const target = ({ components }: Contract, ref: string): Schema =>
  components.schemas[lastSegment(ref)] ?? {}

function queryDefaults(contract: Contract, operation: Operation): string[] {
  return (operation.parameters ?? [])
    .map((parameter) =>
      parameter.$ref ? contract.components.parameters[lastSegment(parameter.$ref)] : parameter,
    )
    .filter((parameter) => parameter?.in === 'query' && parameter.schema.default !== undefined)
    .map((parameter) => parameter?.name ?? '')
}

const lastSegment = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const union = (keys: string[]): string => keys.map((key) => `'${key}'`).join(' | ') || 'never'
