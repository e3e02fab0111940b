import type { Context, Operation } from 'openapi-backend'
import type { Violation } from '../../../generated/types.gen.ts'
import { nextTurn } from '../../scheduling/turns.ts'
import { prefixOf } from '../base.ts'
import type { Permit } from './admission.ts'
import { readBody } from '../body/body.ts'
import { deprecationHeaders, type Deprecations, usedDeprecations } from './deprecations.ts'
import type { JsonLimits } from './json-limits.ts'
import type { Exchange } from './exchange.ts'
import { decodePath, pathMismatches, readQuery } from './parameters.ts'
import { checkPreconditions } from '../preconditions.ts'

/** Admits a request whose key was checked, and reads the rest of it. @throws ServiceError */
export async function receive(
  { security, operation }: Context,
  exchange: Exchange,
  jsonLimits: JsonLimits,
): Promise<void> {
  const { request, response, parsed, rules, deadline } = exchange
  const { bearer } = security ?? {}
  if (bearer?.error) throw bearer.error
  response.locals.keyId = bearer?.keyId
  const permit = bearer && admit(exchange, bearer.workspace)
  exchange.permit = permit
  if (rules.body) {
    const onBytes = (bytes: number) => permit?.takeBytes(bytes)
    parsed.requestBody = await readBody(request, response, rules.body, onBytes)
    tellDeprecations(operation, exchange, rules.body.deprecations ?? new Map())
  }
  permit?.takePlace()
  // Operations without a key take no query, and none is checked.
  if (bearer) parsed.query = readQuery(request.url, operation)
  parsed.params = decodePath(parsed.params)
  if (bearer) checkPreconditions(request.headers, operation)
  deadline.start()
  if (rules.admission === 'writes' && rules.body?.kind === 'json') {
    await jsonLimits.look(rules.body.schema, parsed.requestBody)
  }
  // All that come together are admitted or refused before the second one's work begins.
  if (rules.admission) await nextTurn(bearer.workspace)
}

/** Before the validator fills in what is absent. */
function tellDeprecations(
  { tags: [tag = ''] = [], operationId = '' }: Operation,
  { request, response, parsed }: Exchange,
  deprecations: Deprecations,
): void {
  const used = usedDeprecations(deprecations, parsed.requestBody)
  const docs = `${prefixOf(request.headers)}/docs#/${tag}/${operationId}`
  response.locals.deprecated = used
  response.set(deprecationHeaders(deprecations, used, docs))
}

export const mismatchesOf = ({ parsed, rules }: Exchange): Violation[] =>
  rules.body?.isIgnored ? [] : pathMismatches(parsed.requestBody, parsed.params)

function admit({ request, rules, admissions }: Exchange, workspace: string): Permit | undefined {
  if (!rules.admission) return undefined
  const announced = Math.min(
    Number(request.headers['content-length'] ?? 0),
    rules.body?.maxBytes ?? 0,
  )
  return admissions[rules.admission].admit(workspace, announced)
}
