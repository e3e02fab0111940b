/** Writes out what the contract states once, by a rule, at each operation that it applies to. */
import { type Document, type Example, operationsOf } from './openapi.ts'

type ProblemExample = { code: string; detail: string; errors?: object[] }
type Answer = {
  content?: Record<string, { examples?: object }>
  'x-problems'?: Record<string, ProblemExample>
}

/** The contract with a Problem as an example for each of the `x-problems` of an answer. */
export function withProblemExamples<Contract extends object>(contract: Contract): Contract {
  const document = contract as Document
  const { responses = {} } = document.components
  const whole = Object.entries(responses).map(([name, answer]) => [name, toWhole(document, answer)])
  const components = { ...document.components, responses: Object.fromEntries(whole) }
  return { ...contract, components }
}

function toWhole(document: Document, answer: Answer): Answer {
  const { 'x-problems': shorthands, ...rest } = answer
  if (!shorthands) return answer
  const examples = Object.fromEntries(
    Object.entries(shorthands).map(([name, one]) => [name, toExample(document, one)]),
  )
  const content = Object.entries(rest.content ?? {}).map(([type, media]) => [
    type,
    { ...media, examples },
  ])
  return { ...rest, content: Object.fromEntries(content) }
}

function toExample(document: Document, { code, detail, ...rest }: ProblemExample): Example {
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
