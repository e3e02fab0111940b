import { checkedEvents, eventFaults, isEvents } from './contract-events.ts'
import { complaint, document, type Operation, operationFor } from './contract.ts'

/** `fetch` that throws on every answer the contract does not allow. */
export const contractFetch: typeof fetch = async (input, init) => {
  // No copy of a request, because Node.js forgets the signal of its original (nodejs/undici#4068).
  const { method, url } = input instanceof Request ? input : new Request(input, init)
  const response = await fetch(input, init)
  const path = new URL(url).pathname
  if (isEvents(response)) return checkedEvents(operationFor(method, path), response)
  await checkAnswer(method, path, response.clone())
  return response
}

/** @throws when the answer is not one that the contract gives to that method and path */
export async function checkAnswer(method: string, path: string, response: Response): Promise<void> {
  const faults = await faultsOf(operationFor(method, path), response)
  if (faults.length > 0) {
    throw new Error(`${method} ${path} → ${response.status}: ${faults.join('; ')}`)
  }
}

async function faultsOf(operation: Operation | undefined, response: Response): Promise<string[]> {
  const { status, headers } = response
  const text = await response.text()
  const faults: string[] = []
  if (!headers.get('x-request-id')) faults.push('no X-Request-Id')
  if (isEvents(response)) return [...faults, ...eventFaults(operation, text)]
  if (status >= 400) faults.push(...problemFaults(JSON.parse(text), response))
  if (!operation) {
    if (![404, 405].includes(status)) faults.push('not in the contract')
    return faults
  }
  const declared = operation.responses[status]
  if (!declared) return [...faults, 'the status is not declared']
  for (const [name, { required, schema }] of Object.entries(declared.headers ?? {})) {
    const value = headers.get(name)
    if (value === null && required) faults.push(`no ${name}`)
    const wrong = value === null ? undefined : complaint(schema, value)
    if (wrong) faults.push(`${name}: ${wrong}`)
  }
  const names = new Set(Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase()))
  const undeclared = [...headers.keys()].filter((name) => !names.has(name) && !ofAny.has(name))
  faults.push(...undeclared.map((name) => `${name} is not declared`))
  if (!declared.content) return text === '' ? faults : [...faults, 'a body is not declared']
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(/; */)
  const media = declared.content[type]
  if (!media || !parameters.includes('charset=utf-8')) return [...faults, `${type} is not declared`]
  const wrong = complaint(media.schema, type === 'text/plain' ? text : JSON.parse(text))
  if (wrong) faults.push(wrong)
  return faults
}

/** Headers of the connection and of the body, and those that the contract's `info` gives to any answer. */
const ofAny = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'deprecation',
  'keep-alive',
  'link',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
])

function problemFaults(problem: Record<string, unknown>, { status, headers }: Response): string[] {
  const wrong = complaint(document.components.schemas.Problem, problem)
  const { status: stated, requestId, code, type } = problem
  return [
    ...(wrong ? [wrong] : []),
    ...(stated === status ? [] : [`the Problem says ${stated}`]),
    ...(requestId === headers.get('x-request-id') ? [] : ['requestId is not X-Request-Id']),
    ...(type === `/problems#${code}` ? [] : ['type does not belong to code']),
  ]
}
