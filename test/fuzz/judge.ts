import { checkAnswer } from '../support/contract-fetch.ts'
import type { Operation } from '../support/contract.ts'
import type { Problem } from '../../generated/types.gen.ts'
import { leaksIn, type Secrets } from './leaks.ts'
import { type Answer, type Case, type Expectation, pathOfTarget } from './wire.ts'

/** All that is wrong with an answer. `stayed` tells that what was asked for was there all the while. */
export async function faultsOf(
  one: Case,
  answer: Answer,
  stayed: () => boolean,
  secrets: Secrets,
): Promise<string[]> {
  return [
    ...(answer.status >= 500 ? [`an unasked ${answer.status}`] : []),
    ...(await contractFaults(one, answer)),
    ...expectationFaults(one, answer, stayed),
    ...leaksIn(one, answer, secrets),
  ]
}

async function contractFaults(one: Case, { status, headers, text }: Answer): Promise<string[]> {
  if (!headers.get('x-request-id')) return ['no X-Request-Id']
  if (status === 405 && !headers.get('allow')) return ['405 without Allow']
  if (text.includes('"code":-32603')) return ['an internal error of MCP']
  if (!('wire' in one) || isOwn.test(pathOfTarget(one.wire.target))) return []
  const { method, target } = one.wire
  if (method === 'OPTIONS') return optionsFaults({ status, headers, text })
  if (method === 'HEAD') return text === '' ? [] : ['HEAD with a body']
  const body = [204, 304].includes(status) ? null : text
  try {
    await checkAnswer(method, pathOfTarget(target), new Response(body, { status, headers }))
    return endFaults(headers, text)
  } catch (error) {
    return [(error as Error).message.replace(/^.*? → /, '')]
  }
}

/** Pages and MCP are not of the contract. */
const isOwn =
  /^\/(docs(\/.*)?|problems\/?|changes\/?|document\/?|playground\/?|favicon\.ico|openapi\.(json|yaml)\/?|(datastores\/[^/]+\/)?mcp)?$/

const optionsFaults = ({ status, headers }: Answer): string[] =>
  status === 404 || (status === 204 && headers.get('allow')) ? [] : [`OPTIONS is ${status}`]

/** A stream says how it ended. */
function endFaults(headers: Headers, text: string): string[] {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return []
  const last = [...text.matchAll(/^event: (\w+)$/gm)].at(-1)?.[1] ?? ''
  return ['done', 'error'].includes(last) ? [] : [`the last event is ${last}`]
}

const statusFor: Record<Exclude<Expectation, 'valid' | 'anything'>, number[]> = {
  broken: [400, 413, 415],
  absent: [404],
  unauthenticated: [401],
  forbidden: [403],
}

function expectationFaults(one: Case, answer: Answer, stayed: () => boolean): string[] {
  if (one.expected === 'anything') return []
  if (one.expected === 'valid') return refusalFaults(one, answer, stayed)
  if (statusFor[one.expected].includes(answer.status)) return []
  // Whether a check or that nothing is there comes first, the contract leaves open.
  if (one.expected === 'absent' && answer.status === 400 && onlyOf(answer.text, storedPlaces))
    return []
  return [`${answer.status} where it is ${one.expected}: ${one.title}`]
}

/** A valid request is refused only for what stands in the store, or was asked for. */
function refusalFaults(one: Case, answer: Answer, stayed: () => boolean): string[] {
  const { status, text } = answer
  if (status < 400 || status >= 500 || isMeant(one, status)) return []
  if (status === 404 && !stayed()) return []
  if (status === 400 && onlyOf(text, storedPlaces)) return []
  return [`${status} where it is valid: ${detailOf(text)}`]
}

/**
 * What else is stored decides there: which datastores there are, and what a patch makes of metadata. Of a text
 * that is compared no schema says whether it is a date.
 */
const storedPlaces =
  /^\/(datastoreIds\/\d+|metadata|(query\/filter|filters\/metadata)(\/filters\/\d+)*\/value)$/

function isMeant(one: Case, status: number): boolean {
  if (!('wire' in one)) return false
  const names = new Set(one.wire.headers.map(([name]) => name.toLowerCase()))
  if (status === 412) return names.has('if-match') || names.has('if-none-match')
  if (status === 422) return names.has('idempotency-key') || readsFile(one.operation)
  return false
}

const readsFile = (operation: Operation | undefined): boolean =>
  operation !== undefined && ['uploadFile', 'putFile'].includes(operation.operationId)

function onlyOf(text: string, pattern: RegExp): boolean {
  const { errors = [] } = JSON.parse(text) as Problem
  return errors.length > 0 && errors.every(({ pointer }) => pattern.test(pointer))
}

function detailOf(text: string): string {
  try {
    return (JSON.parse(text) as Problem).detail
  } catch {
    return text.slice(0, 200)
  }
}
