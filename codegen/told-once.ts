/** What the contract tells once, by a rule, and whoever reads one operation wants to see there. */
import { type Document, type Example, operationsOf } from './openapi.ts'

type Told = { code: string; detail: string; errors?: object[] }
type Answer = {
  content?: Record<string, { examples?: object }>
  'x-problems'?: Record<string, Told>
}

/** The contract with an example of each problem that the `x-problems` of an answer name, as a Problem. */
export function withProblemExamples<Contract extends object>(contract: Contract): Contract {
  const document = contract as Document
  const { responses = {} } = document.components
  const whole = Object.entries(responses).map(([name, answer]) => [name, toWhole(document, answer)])
  const components = { ...document.components, responses: Object.fromEntries(whole) }
  return { ...contract, components }
}

function toWhole(document: Document, answer: Answer): Answer {
  const { 'x-problems': told, ...rest } = answer
  if (!told) return answer
  const examples = Object.fromEntries(
    Object.entries(told).map(([name, one]) => [name, toExample(document, one)]),
  )
  const content = Object.entries(rest.content ?? {}).map(([type, media]) => [
    type,
    { ...media, examples },
  ])
  return { ...rest, content: Object.fromEntries(content) }
}

function toExample(document: Document, { code, detail, ...rest }: Told): Example {
  const { title = '', status = 0 } = document['x-problems']?.[code] ?? {}
  const requestId = document.components.headers?.['X-Request-Id']?.example
  const value = { type: `/problems#${code}`, title, status, detail, instance: '/', code }
  return { summary: title, value: { ...value, requestId, ...rest } }
}

/** The contract with the scope of each operation in its description too: tools show no other. */
export function withScopes<Contract extends object>(contract: Contract): Contract {
  const whole = structuredClone(contract)
  for (const operation of Object.values((whole as Document).paths).flatMap(operationsOf)) {
    const scopes = operation.security?.flatMap(({ bearer = [] }) => bearer) ?? []
    const { description = '' } = operation
    if (scopes.length === 0 || description.includes('Needs the scope')) continue
    const names = scopes.map((scope) => `\`${scope}\``).join(', ')
    operation.description = `${description.trimEnd()}\n\nNeeds the scope ${names}.\n`
  }
  return whole
}
