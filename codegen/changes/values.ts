import { adds, breaks, type Change, warns } from './change.ts'
import { canonical, isNode, membersOf, type Node, shown } from './resolve.ts'

/** The differences of two values, of objects member by member. */
export function valueChanges(place: string, from: unknown, to: unknown): Change[] {
  if (canonical(from) === canonical(to)) return []
  const text = `${place}: ${shown(from)} → ${shown(to)}`
  if (!isNode(from) || !isNode(to)) return [from === undefined ? adds(text) : breaks(text)]
  const members = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...members].flatMap((member) =>
    member === 'description' ? [] : valueChanges(`${place}/${member}`, from[member], to[member]),
  )
}

/** The serialization of a parameter or header. A change breaks both sides, also one of an implied default. */
export function formChanges(place: string, old: Node, now: Node): Change[] {
  const changed = ['style', 'explode', 'allowReserved', 'content'].filter(
    (keyword) => canonical(old[keyword]) !== canonical(now[keyword]),
  )
  return [
    ...changed.map((keyword) =>
      breaks(`${place} ${keyword}: ${shown(old[keyword])} → ${shown(now[keyword])}`),
    ),
    ...(now.deprecated && !old.deprecated ? [warns(`${place}: deprecated`)] : []),
  ]
}

/** The removed, added and changed members of two objects. */
export function memberChanges(
  old: unknown,
  now: unknown,
  place: string,
  separator: string,
  compare: (member: string, value: unknown) => Change[],
): Change[] {
  const [before, present] = [new Map(membersOf(old)), new Map(membersOf(now))]
  const added = [...present.keys()].filter((member) => !before.has(member))
  return [
    ...added.map((member) => adds(`${place}${separator}${member}: added`)),
    ...[...before].flatMap(([member, value]) =>
      present.has(member)
        ? compare(member, value)
        : [breaks(`${place}${separator}${member}: removed`)],
    ),
  ]
}
