import type { Random } from '../../support/random.ts'
import type { Case } from '../wire.ts'
import type { World } from '../world.ts'

/**
 * One of the last requests again, word for word, or with the body of another one. That is of the same
 * workspace, or a word of the other one would be stored, and found as if it had leaked.
 */
export function repeated(world: World, random: Random): Case | undefined {
  const one = random.pick(world.recent)
  if (!one || !('wire' in one)) return undefined
  const { workspace } = one.caller
  const other = random.pick(world.recent.filter(({ caller }) => caller.workspace === workspace))
  const isSwapped = random.chance(0.3) && other && 'wire' in other && other.wire.body !== undefined
  const wire = isSwapped ? { ...one.wire, body: other.wire.body } : one.wire
  return { ...one, title: 'sent again', expected: 'anything', wire }
}
