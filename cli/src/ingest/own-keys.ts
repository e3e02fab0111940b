import type { FoundFile } from './found-file.ts'
import type { Outcome } from './outcome.ts'

/** The files that have a key of their own, and those whose key is another file's. */
export function ownKeys(files: FoundFile[]): { files: FoundFile[]; others: Outcome[] } {
  const first = new Map<string, FoundFile>()
  const others: Outcome[] = []
  for (const file of files) {
    const holder = first.get(file.key)
    if (!holder) first.set(file.key, file)
    else if (holder.path !== file.path) others.push(collision(file, holder))
  }
  return { files: [...first.values()], others }
}

const collision = ({ path, key }: FoundFile, holder: FoundFile): Outcome => ({
  kind: 'failed',
  of: path,
  reason: `has the key of ${holder.path}, "${key}": ingest one of them by itself with --prefix`,
})
