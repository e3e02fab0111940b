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

/** Copies shared answers into each operation, so that the examples of its errors name its path, scope and limit. */
export function inlineAnswers(document: Document): void {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of operationsOf(item)) {
      const change = ownExample(operation, instanceOf(document, path, operation))
      inlineOne(document, operation, change)
    }
  }
  delete document.components.responses
}

type Change = (example: Example) => Example

function inlineOne(document: Document, operation: Operation, change: Change): void {
  const { operationId, responses } = operation
  for (const [status, answer] of Object.entries(responses)) {
    if (!('$ref' in answer)) continue
    const own = structuredClone(resolved<Answer>(document, answer))
    responses[status] = own
    for (const { examples = {} } of Object.values(own.content ?? {})) {
      for (const [kind, example] of Object.entries(examples)) {
        if ('$ref' in example || Number(status) < 400) continue
        const name = `${operationId}.${nameOf(answer, kind)}`
        document.components.examples[name] = change(example)
        examples[kind] = { $ref: `#/components/examples/${name}` }
      }
    }
  }
}

/** An answer's only example is known by the answer. */
function nameOf({ $ref }: Reference, kind: string): string {
  const name = $ref.split('/').at(-1)!
  return kind === 'problem' ? name : `${name}.${kind}`
}

const ownExample =
  (operation: Operation, instance: string): Change =>
  ({ summary, value }) => ({
    summary,
    value: { ...value, detail: ownDetail(operation, value), instance },
  })

function ownDetail(operation: Operation, { code, detail }: Example['value']): string {
  const text = String(detail)
  if (code === 'insufficient_scope') return text.replace(/[a-z]+:[a-z]+/, scopeOf(operation))
  const maxBytes = operation.requestBody?.['x-max-bytes']
  return code === 'payload_too_large' ? text.replace(/\d+/, String(maxBytes)) : text
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
