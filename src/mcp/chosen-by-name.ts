import { invalidArgument } from './arguments.ts'
import { shortened } from './text-parts.ts'

export type Choosable = { id: string; name: string }

/** The most names in a message that asks to choose. */
const maxNamed = 20

/** The thing that an argument names, by name or id; without one the only thing. @throws InvalidRequest */
export function chosenByName<T extends Choosable>(
  member: 'datastore' | 'agent',
  named: unknown,
  things: readonly T[],
): T {
  if (named === undefined) return onlyOne(member, things)
  if (typeof named !== 'string')
    throw invalidArgument(
      member,
      `must be the name or id of ${member === 'agent' ? 'an' : 'a'} ${member}`,
    )
  const byId = things.find(({ id }) => id === named)
  if (byId) return byId
  const [first, second] = same(things, named)
  if (second)
    throw invalidArgument(member, `is the name of several: ${listed(same(things, named))}`)
  if (first) return first
  const there = things.length > 0 ? `; there are ${listed(things)}` : ''
  throw invalidArgument(member, `is the name or id of no ${member}${there}`)
}

function onlyOne<T extends Choosable>(member: string, things: readonly T[]): T {
  const [first, second] = things
  if (!first) throw invalidArgument(member, `is required, and there is no ${member}`)
  if (second)
    throw invalidArgument(member, `is required, because there are several: ${listed(things)}`)
  return first
}

/** Assistants write names as people say them, so case decides only between names that differ by it. */
function same<T extends Choosable>(things: readonly T[], named: string): T[] {
  const exact = things.filter(({ name }) => name === named)
  if (exact.length > 0) return exact
  const folded = fold(named)
  return things.filter(({ name }) => fold(name) === folded)
}

const fold = (name: string): string => name.normalize().trim().toLowerCase()

const listed = (things: readonly Choosable[]): string => {
  const named = things.slice(0, maxNamed).map(({ id, name }) => `${id} (${shortened(name, 80)})`)
  return [...named, ...(things.length > maxNamed ? ['and more'] : [])].join(', ')
}
