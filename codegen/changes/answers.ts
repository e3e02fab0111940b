import { breaks, type Change } from './change.ts'
import { contentChanges } from './content.ts'
import { membersOf, resolve } from './resolve.ts'
import { schemaChanges } from './schemas.ts'
import type { Sides } from './sides.ts'
import { formChanges, memberChanges, valueChanges } from './values.ts'

export function answerChanges(sides: Sides, label: string, old: unknown, now: unknown): Change[] {
  const present = new Map(membersOf(now))
  return memberChanges(old, now, label, ' ', (status, answer) => {
    const place = `${label} ${status}`
    const { node: was } = resolve({ document: sides.before, node: answer })
    const { node: is } = resolve({ document: sides.after, node: present.get(status) })
    return [
      ...headerChanges(sides, place, was.headers, is.headers),
      ...contentChanges(sides, place, was.content, is.content),
      ...linkChanges(place, was.links, is.links),
    ]
  })
}

function linkChanges(place: string, old: unknown, now: unknown): Change[] {
  const present = new Map(membersOf(now))
  return memberChanges(old, now, place, ' link ', (name, link) =>
    valueChanges(`${place} link ${name}`, link, present.get(name)),
  )
}

function headerChanges(sides: Sides, place: string, old: unknown, now: unknown): Change[] {
  const present = new Map(membersOf(now))
  return memberChanges(old, now, place, ' ', (name, header) => {
    const was = resolve({ document: sides.before, node: header })
    const is = resolve({ document: sides.after, node: present.get(name) })
    const at = is.name !== undefined && was.name === is.name ? is.name : `${place} ${name}`
    return [
      ...(was.node.required && !is.node.required ? [breaks(`${at}: no longer required`)] : []),
      ...formChanges(at, was.node, is.node),
      ...valueChanges(`${at} example`, was.node.example, is.node.example),
      ...schemaChanges(sides, was.node.schema, is.node.schema, at),
    ]
  })
}
