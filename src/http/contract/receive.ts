import type { Request, Response } from 'express'
import type { Operation } from 'openapi-backend'
import type { Violation } from '../../../generated/types.gen.ts'
import type { Caller } from '../../domain/keys.ts'
import { InvalidRequest } from '../../errors/errors.ts'
import { nextTurn } from '../../scheduling/turns.ts'
import { prefixOf } from '../answer/answer.ts'
import { readBody } from '../body/body.ts'
import type { Admissions, Permit } from './admission.ts'
import {
  deprecationHeaders,
  type Deprecations,
  usedDeprecations,
} from '../operations/deprecations.ts'
import type { Exchange } from './exchange.ts'
import { checkJsonLimits } from './json-limits.ts'
import { decodePath, pathMismatches, readQuery } from './parameters.ts'

type Arriving = Pick<Exchange, 'parsed' | 'rules' | 'deadline'> & {
  request: Request
  response: Response
  permit: Permit | undefined
}

/** Reads the rest of an admitted request. @throws ServiceError */
export async function receive(
  exchange: Arriving,
  operation: Operation,
  caller: Caller | undefined,
): Promise<void> {
  const { request, response, parsed, rules, deadline, permit } = exchange
  if (rules.body) {
    const onBytes = (bytes: number) => permit?.takeBytes(bytes)
    const onEnd = () => deadline.start()
    parsed.requestBody = await readBody(request, response, rules.body, onBytes, onEnd)
    tellDeprecations(operation, exchange, rules.body.deprecations ?? new Map())
  }
  permit?.takePlace()
  // Operations without a key have no query, so none is checked.
  if (caller) parsed.query = readQuery(request.url, operation)
  parsed.params = decodePath(parsed.params)
  if (caller) checkPreconditions(request.headers, operation)
  deadline.start()
  if (rules.admission === 'writes' && rules.body?.kind === 'json') {
    await checkJsonLimits(rules.body.schema, parsed.requestBody)
  }
  // All requests that come together are admitted or refused before the second one's work begins.
  if (rules.admission && caller) await nextTurn(caller.workspace)
}

/** Refuses conditions that the operation does not support (RFC 9110, 13.1). @throws InvalidRequest */
function checkPreconditions(
  headers: Request['headers'],
  { method, parameters = [] }: Operation,
): void {
  const taken = new Set(
    parameters.flatMap((each) => ('name' in each ? each.name.toLowerCase() : [])),
  )
  const untaken = (method === 'get' ? ['if-match'] : ['if-match', 'if-none-match']).filter(
    (name) => headers[name] !== undefined && !taken.has(name),
  )
  if (untaken.length === 0) return
  const detail = 'is not taken by this operation; leave it out'
  throw new InvalidRequest(untaken.map((name) => ({ pointer: `/header/${name}`, detail })))
}

/** Runs before the validator fills in absent members. */
function tellDeprecations(
  { tags: [tag = ''] = [], operationId = '' }: Operation,
  { request, response, parsed }: Arriving,
  deprecations: Deprecations,
): void {
  const used = usedDeprecations(deprecations, parsed.requestBody)
  const docs = `${prefixOf(request.headers)}/docs#/${tag}/${operationId}`
  response.locals.deprecated = used
  response.set(deprecationHeaders(deprecations, used, docs))
}

export const mismatchesOf = ({ parsed, rules }: Exchange): Violation[] =>
  rules.body?.isIgnored ? [] : pathMismatches(parsed.requestBody, parsed.params)

/** @throws TooManyRequests, Overloaded */
export function admit(
  { request, rules }: Arriving,
  workspace: string,
  admissions: Admissions,
): Permit | undefined {
  if (!rules.admission) return undefined
  const announced = Math.min(
    Number(request.headers['content-length'] ?? 0),
    rules.body?.maxBytes ?? 0,
  )
  return admissions[rules.admission].admit(workspace, announced)
}
