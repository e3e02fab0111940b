import type { Caller, Keys } from '../domain/keys.ts'
import { InsufficientScope, Unauthenticated } from '../errors/errors.ts'

/** RFC 6750, with keys as long as INITIAL_KEY may be. */
const bearer = /^Bearer +(?<key>[A-Za-z0-9._~+/-]{1,256}=*)$/i

/** The caller that an Authorization header names. @throws Unauthenticated */
export async function authenticate(keys: Keys, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) throw new Unauthenticated(true)
  const key = bearer.exec(authorization)?.groups?.key
  if (key === undefined) throw new Unauthenticated(false, faultOf(authorization))
  const caller = await keys.verify(key)
  if (!caller) throw new Unauthenticated(false)
  return caller
}

/** @throws InsufficientScope */
export function checkScopes(caller: Caller, scopes: readonly string[]): void {
  const held = new Set<string>(caller.scopes)
  const missing = scopes.filter((scope) => !held.has(scope))
  if (missing.length > 0) throw new InsufficientScope(missing)
}

/** Quotes nothing of the header, which may hold a key. */
function faultOf(authorization: string): string {
  if (/^Bearer +Bearer\b/i.test(authorization)) {
    return 'Authorization says Bearer twice. Where a tool adds it, give the tool the key alone.'
  }
  return 'Authorization must be the word Bearer, a space, and the key as it was printed.'
}
