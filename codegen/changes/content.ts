import type { Change } from './change.ts'
import { isNode, membersOf, resolve } from './resolve.ts'
import { schemaChanges } from './schemas.ts'
import type { Sides } from './sides.ts'
import { memberChanges, valueChanges } from './values.ts'

export function contentChanges(sides: Sides, place: string, old: unknown, now: unknown): Change[] {
  const present = new Map(membersOf(now))
  return memberChanges(old, now, place, ' ', (type, media) => {
    const other = present.get(type)
    if (!isNode(media) || !isNode(other)) return []
    return [
      ...valueChanges(`${place} ${type} encoding`, media.encoding, other.encoding),
      ...schemaChanges(sides, media.schema, other.schema, `${place} ${type}`),
      ...exampleChanges(sides, `${place} ${type}`, media.examples, other.examples),
    ]
  })
}

/** Members of an example Problem that only describe its case. */
const ofTheCase = ['/detail', '/instance', '/requestId', '/errors']

/** Callers copy examples, so removed and changed ones are reported too. */
function exampleChanges(sides: Sides, place: string, old: unknown, now: unknown): Change[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([key, example]) => {
    const was = resolve({ document: sides.before, node: example })
    const is = resolve({ document: sides.after, node: present.get(key) })
    const at = was.name ?? `${place} example ${key}`
    return valueChanges(at, was.node.value, is.node.value).filter(
      ({ text }) =>
        !/ [45]\d\d /.test(place) || !ofTheCase.some((end) => text.includes(`${end}: `)),
    )
  })
}
