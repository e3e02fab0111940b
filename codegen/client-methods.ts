/** What the client package needs of the contract beside `generated/`: one method for each operation. */
import type { Contract, Operation } from './server-types.ts'

type Parts = { id: string; path: string[]; hasQuery: boolean; hasBody: boolean }

/** The source of `methods.gen.ts`: a class with a method for every operationId. */
export function methodsSource(contract: Contract): string {
  const methods = Object.entries(contract.paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const operation = item[verb]
      return operation ? methodSource(contract, path, verb, operation) : []
    }),
  )
  return [
    '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n',
    "import * as sdk from '../../generated/sdk.gen.ts'\n",
    "import type * as contract from '../../generated/types.gen.ts'\n",
    "import type { Call, PagedCall } from './call.ts'\n",
    "import { type CallOptions, Requests } from './requests.ts'\n\n",
    '/** The operations of the contract: parts of the path, then the body or the query, then options. */\n',
    'export class Methods extends Requests {\n',
    methods.join('\n'),
    '}\n',
  ].join('')
}

const verbs = ['get', 'put', 'post', 'delete', 'patch']

function methodSource(contract: Contract, path: string, verb: string, operation: Operation) {
  const parts = partsOf(contract, path, operation)
  const type = `contract.${parts.id[0]?.toUpperCase()}${parts.id.slice(1)}`
  const call = isPaged(contract, operation) ? 'PagedCall' : 'Call'
  const sends = call === 'PagedCall' ? 'sendPaged' : 'send'
  const repeat = repeatOf(contract, verb, operation)
  return [
    docs(operation),
    `  ${parts.id}(${argumentsSource(contract, parts, type, operation)}): ${call}<${type}Response> {\n`,
    `    return this.${sends}({ ${requestSource(parts, repeat)} }, options)\n`,
    '  }\n',
  ].join('')
}

const partsOf = (contract: Contract, path: string, operation: Operation): Parts => ({
  id: operation.operationId,
  path: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  hasQuery: parametersOf(contract, operation).some(({ in: place }) => place === 'query'),
  // A body that may be absent says nothing.
  hasBody: operation.requestBody?.required === true,
})

function argumentsSource(contract: Contract, parts: Parts, type: string, operation: Operation) {
  const isQueryNeeded = parametersOf(contract, operation).some(
    ({ in: place, required }) => place === 'query' && required,
  )
  const query = `query${isQueryNeeded ? '' : '?'}: NonNullable<${type}Data['query']>`
  return [
    ...parts.path.map((name) => `${name}: string`),
    ...(parts.hasBody ? [`body: ${bodyType(type, operation)}`] : []),
    ...(parts.hasQuery ? [query] : []),
    `options?: CallOptions<${type}Data>`,
  ].join(', ')
}

/** A method answers with JSON, so it does not take the switch to a stream. */
const bodyType = (type: string, operation: Operation): string =>
  operation.responses['200']?.content?.['text/event-stream']
    ? `Omit<${type}Data['body'], 'streaming'>`
    : `${type}Data['body']`

const requestSource = ({ id, path, hasBody, hasQuery }: Parts, repeat: string): string =>
  [
    `sender: sdk.${id}`,
    `repeat: '${repeat}'`,
    ...(path.length > 0 ? [`path: { ${path.join(', ')} }`] : []),
    ...(hasBody ? ['body'] : []),
    ...(hasQuery ? ['query'] : []),
  ].join(', ')

/**
 * When a request may be sent again though an answer to it may have been lost: always where repeating
 * changes nothing more, with a header where that header makes it so, else never.
 */
function repeatOf(contract: Contract, verb: string, operation: Operation): string {
  const headers = new Set(parametersOf(contract, operation).map(({ name }) => name))
  const scopes = operation.security?.flatMap(({ bearer }) => bearer ?? []) ?? []
  const isRead = scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read'))
  if (['get', 'put', 'delete'].includes(verb) || isRead) return 'always'
  return ['Idempotency-Key', 'If-Match'].find((name) => headers.has(name)) ?? 'never'
}

function isPaged(contract: Contract, operation: Operation): boolean {
  return parametersOf(contract, operation).some(({ name }) => name === 'cursor')
}

function parametersOf(contract: Contract, { parameters = [] }: Operation) {
  return parameters.flatMap((parameter) =>
    parameter.$ref
      ? (contract.components.parameters[
          parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1)
        ] ?? [])
      : parameter,
  )
}

function docs({ summary = '', description = '' }: Operation): string {
  const lines = [summary, '', ...description.trim().split('\n')]
  return ['  /**\n', ...lines.map((line) => `   * ${line}`.trimEnd() + '\n'), '   */\n'].join('')
}
