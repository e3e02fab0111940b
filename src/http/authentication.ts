import type { Caller, Keys } from '../domain/keys.ts'
import { InsufficientScope, Unauthenticated } from '../errors.ts'

/** RFC 6750's form; the scheme's name is case-insensitive. No key is longer than INITIAL_KEY may be. */
const bearer = /^Bearer +(?<key>[A-Za-z0-9._~+/-]{1,256}=*)$/i

/**
 * Whose request it is, by its Authorization header, given the scopes its operation needs.
 * @throws Unauthenticated, InsufficientScope
 */
export async function authenticate(
  keys: Keys,
  authorization: string | undefined,
  scopes: readonly string[],
): Promise<Caller> {
  if (authorization === undefined) throw new Unauthenticated(true)
  const key = bearer.exec(authorization)?.groups?.key
  if (key === undefined) throw new Unauthenticated(false, faultOf(authorization))
  const caller = await keys.verify(key)
  if (!caller) throw new Unauthenticated(false)
  const held = new Set<string>(caller.scopes)
  const missing = scopes.filter((scope) => !held.has(scope))
  if (missing.length > 0) throw new InsufficientScope(missing)
  return caller
}

/** What is wrong with a header that is not in its form; nothing of it is told, for it may hold a key. */
function faultOf(authorization: string): string {
  if (/^Bearer +Bearer\b/i.test(authorization)) {
    return 'Authorization says Bearer twice. Where a tool adds it, give the tool the key alone.'
  }
  return 'Authorization must be the word Bearer, a space, and the key as it was printed.'
}
