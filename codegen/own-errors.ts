import {
  type Answer,
  type Document,
  type Example,
  type Operation,
  operationsOf,
  type Parameter,
  type Reference,
  resolved,
} from './openapi.ts'

/** Gives each operation errors of its own, whose examples name its path, scope and limit. */
export function useOwnErrors(document: Document): void {
  const shared = new Set<string>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of operationsOf(item)) {
      const change = ownExample(operation, instanceOf(document, path, operation))
      for (const name of ownErrors(document, operation, change)) shared.add(name)
    }
  }
  delete document.components.responses
  for (const name of shared) delete document.components.examples[name]
}

type Change = (example: Example) => Example

function ownErrors(document: Document, operation: Operation, change: Change): string[] {
  const { operationId, responses } = operation
  return Object.entries(responses).flatMap(([status, answer]) => {
    if (!('$ref' in answer)) return []
    const own = structuredClone(resolved<Answer>(document, answer))
    responses[status] = own
    return Object.values(own.content ?? {}).flatMap(({ examples = {} }) =>
      Object.entries(examples).map(([kind, reference]) => {
        const name = (reference as Reference).$ref.split('/').at(-1)!
        const ownName = `${operationId}.${name}`
        document.components.examples[ownName] = change(resolved<Example>(document, reference))
        examples[kind] = { $ref: `#/components/examples/${ownName}` }
        return name
      }),
    )
  })
}

const ownExample =
  (operation: Operation, instance: string): Change =>
  ({ summary, value }) => ({
    summary,
    value: { ...value, detail: ownDetail(operation, value), instance },
  })

function ownDetail(operation: Operation, { code, detail = '' }: Example['value']): string {
  if (code === 'insufficient_scope') return detail.replace(/[a-z]+:[a-z]+/, scopeOf(operation))
  const maxBytes = operation.requestBody?.['x-max-bytes']
  return code === 'payload_too_large' ? detail.replace(/\d+/, String(maxBytes)) : detail
}

const scopeOf = ({ security }: Operation): string => security?.[0]?.bearer?.[0] ?? ''

function instanceOf(document: Document, path: string, { parameters = [] }: Operation): string {
  const all = parameters.map((one) => resolved<Parameter>(document, one))
  return path.replaceAll(/\{(.+?)\}/g, (segment, name) => {
    const parameter = all.find((one) => one.in === 'path' && one.name === name)
    const { examples } = parameter ? resolved(document, parameter.schema) : {}
    return (examples as string[] | undefined)?.[0] ?? segment
  })
}
