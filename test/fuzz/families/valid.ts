import type { Random } from '../../support/random.ts'
import { draftOf, toWire } from '../drafts.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

/** A request that the contract allows, for what is there. */
export function valid(world: World, random: Random): Case | undefined {
  const caller = random.pick(world.callers.full)
  const operation = world.pickOperation(caller, random)
  const draft = draftOf(operation, caller, random)
  if (!draft) return undefined
  return { title: 'valid', caller, expected: 'valid', operation, wire: toWire(draft) }
}
