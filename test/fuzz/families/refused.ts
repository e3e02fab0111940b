import type { Random } from '../../support/random.ts'
import { draftOf, toWire } from '../drafts.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

/** A valid request of a key that is none, or that lacks the scope. */
export function refused(world: World, random: Random): Case | undefined {
  const caller = random.pick(random.chance(0.5) ? world.callers.limited : world.callers.unknown)
  const operation = random.pick(world.withJson)
  const draft = draftOf(operation, caller, random)
  if (!draft) return undefined
  const wire = toWire(draft)
  const needed = operation.security.flatMap((one) => Object.values(one).flat())
  if (operation.security.length === 0)
    return { title: 'open', caller, expected: 'valid', operation, wire }
  if (!caller.scopes)
    return { title: 'without a key', caller, expected: 'unauthenticated', operation, wire }
  const lacks = needed.some((scope) => !caller.scopes?.some((own) => own === scope))
  return lacks
    ? { title: 'without the scope', caller, expected: 'forbidden', operation, wire }
    : { title: 'with few scopes', caller, expected: 'anything', operation, wire }
}
