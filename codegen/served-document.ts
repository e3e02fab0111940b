import { stringify } from 'yaml'

type Node = { [member: string]: unknown }
type Reference = { $ref: string }
type Parameter = { name: string; in: string; schema: { examples: string[] } }
type Example = { summary: string; value: { [member: string]: string } }
type Answer = { content: Record<string, { examples: Record<string, Reference> }> }
type Operation = Node & {
  operationId: string
  requestBody?: { 'x-max-bytes': number }
  responses: Record<string, Answer | Reference>
}
type Document = {
  paths: Record<string, Node>
  components: { examples: Record<string, Example>; responses?: Node }
}

const methods = ['get', 'put', 'post', 'patch', 'delete']

/** The contract with errors of its own for each operation, whose examples name its path, scope and limit. */
export function toServedDocument<Contract extends object>(contract: Contract): Contract {
  const served = structuredClone(contract)
  const document = served as Node as Document
  const shared = new Set<string>()
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = methods.flatMap((method) => item[method] ?? []) as Operation[]
    for (const operation of operations) {
      const change = ownExample(operation, instanceOf(document, path, [item, operation]))
      for (const name of ownErrors(document, operation, change)) shared.add(name)
    }
  }
  delete document.components.responses
  for (const name of shared) delete document.components.examples[name]
  return served
}

export const toYaml = (document: object): string =>
  stringify(document, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 })

type Change = (example: Example) => Example

function ownErrors(document: Document, operation: Operation, change: Change): string[] {
  const { operationId, responses } = operation
  return Object.entries(responses).flatMap(([status, answer]) => {
    if (!('$ref' in answer)) return []
    const own = structuredClone(target(document, answer)) as Answer
    responses[status] = own
    return Object.values(own.content).flatMap(({ examples }) =>
      Object.entries(examples).map(([kind, reference]) => {
        const name = reference.$ref.split('/').at(-1)!
        const ownName = `${operationId}.${name}`
        document.components.examples[ownName] = change(target(document, reference) as Example)
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

const scopeOf = ({ security }: Operation): string =>
  (security as { bearer: string[] }[])[0]?.bearer[0] ?? ''

function instanceOf(document: Document, path: string, holders: Node[]): string {
  const declared = holders.flatMap(({ parameters = [] }) => parameters as (Parameter | Reference)[])
  const all = declared.map((one) => ('$ref' in one ? (target(document, one) as Parameter) : one))
  return path.replaceAll(/\{(.+?)\}/g, (segment, name) => {
    const parameter = all.find((one) => one.in === 'path' && one.name === name)
    return parameter?.schema.examples[0] ?? segment
  })
}

const target = (document: Document, { $ref }: Reference): Node =>
  $ref
    .split('/')
    .slice(1)
    .reduce<Node>((node, key) => node[key] as Node, document as Node)
