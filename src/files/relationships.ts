import { posix } from 'node:path'
import { type Attributes, readPlainXml } from './xml.ts'
import type { Entries } from './zip.ts'

/** The last word of its type, like `worksheet`, and the target entry or address. */
type Relationship = { type: string; target: string }
export type Related = ReadonlyMap<string, Relationship>

/** The references of a part of an Office package, by id; those of the package if it is "". Empty if it has none. */
export function relationshipsOf(entries: Entries, part: string): Related {
  const { dir, base } = posix.parse(part)
  const found = new Map<string, Relationship>()
  const xml = entries.get(posix.join(dir, '_rels', `${base}.rels`))
  if (!xml) return found
  readPlainXml(xml, {
    onopentag: (_, { Id = '', Type = '', Target = '', TargetMode }) =>
      found.set(Id, {
        type: posix.basename(Type),
        target: TargetMode === 'External' ? Target : entryOf(dir, Target),
      }),
  })
  return found
}

const entryOf = (dir: string, target: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(dir, target)

export const targetsOf = (related: Related, wantedType: string): string[] =>
  [...related.values()].filter(({ type }) => type === wantedType).map(({ target }) => target)

export const referenceIn = (attributes: Attributes): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
