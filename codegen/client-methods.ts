/** The class of the client package that has one method for each operation. */
import type { Contract, Operation, Parameter } from './server-types.ts'

type Method = Omit<Operation, 'parameters'> & {
  verb: string
  path: string
  parameters: Parameter[]
  /** The beginning of the names of its types. */
  type: string
}

/** The source of `methods.gen.ts`. */
export const methodsSource = (contract: Contract): string =>
  [
    '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n',
    "import * as sdk from '../../generated/sdk.gen.ts'\n",
    "import type * as contract from '../../generated/types.gen.ts'\n",
    "import type { Call, PagedCall } from './call.ts'\n",
    "import { bytesOf, type FileForm, type FileSource, formOf } from './files.ts'\n",
    "import type { QueryOf } from './query.ts'\n",
    "import { type CallOptions, Requests } from './requests.ts'\n\n",
    '/** The operations of the contract: parts of the path, then the body, then the query, then options. */\n',
    'export class Methods extends Requests {\n',
    methodsOf(contract).map(methodSource).join('\n'),
    '}\n',
  ].join('')

const verbs = ['get', 'put', 'post', 'delete', 'patch']

const methodsOf = (contract: Contract): Method[] =>
  Object.entries(contract.paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const operation = item[verb]
      return operation ? methodOf(contract, path, verb, operation) : []
    }),
  )

function methodOf(contract: Contract, path: string, verb: string, operation: Operation): Method {
  const { operationId, parameters = [] } = operation
  const type = `contract.${operationId[0]?.toUpperCase()}${operationId.slice(1)}`
  return { ...operation, verb, path, parameters: parameters.map(resolve(contract)), type }
}

const resolve =
  ({ components }: Contract) =>
  (parameter: Parameter): Parameter =>
    components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter

function methodSource(method: Method): string {
  const { operationId: id, type, parameters } = method
  const isPaged = parameters.some(({ name }) => name === 'cursor')
  const [send, call] = isPaged ? ['sendPaged', 'PagedCall'] : ['send', 'Call']
  return [
    docs(method),
    `  ${id}(${argumentsSource(method)}): ${call}<${type}Response> {\n`,
    `    return this.${send}({ ${requestSource(method)} }, options)\n`,
    '  }\n',
  ].join('')
}

const namesInPath = ({ path }: Method): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const queryOf = ({ parameters }: Method): Parameter[] =>
  parameters.filter(({ in: place }) => place === 'query')

/** An optional body says nothing, so methods do not take it. */
const hasBody = ({ requestBody }: Method): boolean => requestBody?.required === true

function argumentsSource(method: Method): string {
  const { type } = method
  const query = queryOf(method)
  const optional = query.some(({ required }) => required) ? '' : '?'
  return [
    ...namesInPath(method).map((name) => `${name}: string`),
    ...(hasBody(method) ? [`body: ${bodyType(method)}`] : []),
    ...(query.length > 0 ? [`query${optional}: QueryOf<NonNullable<${type}Data['query']>>`] : []),
    `options?: CallOptions<${type}Data>`,
  ].join(', ')
}

/** A method gives a whole answer, so it does not take the switch to a stream. A file may come from anywhere. */
function bodyType({ type, responses, requestBody }: Method): string {
  const { 'multipart/form-data': form, 'application/octet-stream': bytes } =
    requestBody?.content ?? {}
  if (bytes) return 'FileSource'
  if (form) return `FileForm<${type}Data['body']>`
  return responses['200']?.content?.['text/event-stream']
    ? `Omit<${type}Data['body'], 'streaming'>`
    : `${type}Data['body']`
}

/** A file is read once, before the first try. */
function bodySource(method: Method): string {
  const type = bodyType(method)
  if (type === 'FileSource') return 'body: (signal) => bytesOf(body, signal)'
  return type.startsWith('FileForm<') ? 'body: (signal) => formOf(body, signal)' : 'body'
}

function requestSource(method: Method): string {
  const names = namesInPath(method)
  return [
    `sender: sdk.${method.operationId}`,
    `repeat: '${repeatOf(method)}'`,
    ...(names.length > 0 ? [`path: { ${names.join(', ')} }`] : []),
    ...(hasBody(method) ? [bodySource(method)] : []),
    ...(queryOf(method).length > 0 ? ['query'] : []),
    ...(isText(method) ? ["parseAs: 'text'"] : []),
  ].join(', ')
}

const isText = ({ responses }: Method): boolean =>
  responses['200']?.content?.['text/plain'] !== undefined

/**
 * When a request may be sent again though an answer to it may have been lost: always where repeating
 * changes nothing more, with a header where that header makes it so, else never.
 */
function repeatOf({ verb, security = [], parameters }: Method): string {
  const scopes = security.flatMap(({ bearer = [] }) => bearer)
  const isRead = scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read'))
  if (['get', 'put', 'delete'].includes(verb) || isRead) return 'always'
  const headers = new Set(parameters.map(({ name }) => name))
  return ['Idempotency-Key', 'If-Match'].find((name) => headers.has(name)) ?? 'never'
}

function docs({ summary = '', description = '' }: Method): string {
  const lines = [summary, '', ...description.trim().split('\n')]
  return ['  /**\n', ...lines.map((line) => `   * ${line}`.trimEnd() + '\n'), '   */\n'].join('')
}
