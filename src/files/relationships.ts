import { posix } from 'node:path'
import { readPlainXml } from './xml.ts'

/** The last word of its type, like `worksheet`, and the target entry or address. */
export type Relationship = { type: string; target: string }

/** The references of a part of an Office package, by id; those of the package if it is "". Empty if it has none. */
export function relationshipsOf(
  entries: ReadonlyMap<string, Uint8Array>,
  part: string,
): Map<string, Relationship> {
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

export const referenceIn = (attributes: Record<string, string>): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
