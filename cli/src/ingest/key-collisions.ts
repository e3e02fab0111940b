import type { FoundFile } from './found-file.ts'
import type { Outcome } from './outcome.ts'

/** The files with a key of their own, and a failure for each whose key is another file's. */
export function withoutCollisions(files: FoundFile[]): {
  files: FoundFile[]
  collisions: Outcome[]
} {
  const first = new Map<string, FoundFile>()
  const collisions: Outcome[] = []
  for (const file of files) {
    const holder = first.get(file.key)
    if (!holder) first.set(file.key, file)
    else if (holder.path !== file.path) collisions.push(collision(file, holder))
  }
  return { files: [...first.values()], collisions }
}

const collision = ({ path, key }: FoundFile, holder: FoundFile): Outcome => ({
  kind: 'failed',
  of: path,
  reason: `has the key of ${holder.path}, "${key}": ingest one of them by itself with --prefix`,
})
