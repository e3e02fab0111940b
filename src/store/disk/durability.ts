import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files of a folder are open at once, far below what a process may have. */
const filesAtOnce = 64

/** What of a folder is on the disk, by the names there. */
type Folder = { files: ReadonlySet<string>; folders: ReadonlyMap<string, Folder> }

/** What stands under a name; undefined where it is gone by now, for it belonged to an old version. */
type Kind = 'file' | 'folder' | undefined

/** Once it failed to keep something, the next sync of it would be told that it has. */
type Disk = { failure: DiskFailed | undefined }

const nothing: Folder = { files: new Set(), folders: new Map() }

/**
 * Puts what LanceDB wrote to a local directory on the disk itself. LanceDB leaves that to the
 * operating system, which takes half a minute and keeps no order: after a power cut a table's newest
 * files may be missing, empty or cut short. The files that count are written once and never
 * changed, so each is synced once; a version names files of earlier ones too, so all are.
 */
export class Durability {
  readonly directory: string
  readonly #disk: Disk = { failure: undefined }
  #synced = nothing

  constructor(directory: string) {
    this.directory = directory
  }

  /**
   * Settles when every version that is there by now survives a power cut. What is being written
   * meanwhile stands under a passing name until it is whole.
   * @throws DiskFailed, and from then on always; what else went wrong, which can be tried again
   */
  async sync(): Promise<void> {
    try {
      this.#synced = await syncFolder(this.directory, this.#synced, this.#disk)
    } finally {
      // Also where another sync met it: the system tells of such a failure once.
      this.#checkDisk()
    }
  }

  #checkDisk(): void {
    if (this.#disk.failure) throw this.#disk.failure
  }
}

/**
 * Syncs what is new in a folder that may hold a thousand files of which three are: only of those is it
 * asked whether they are folders.
 * @returns what is there
 */
async function syncFolder(path: string, synced: Folder, disk: Disk): Promise<Folder> {
  const files = new Set<string>()
  const folders = new Map<string, Folder>()
  const fresh: string[] = []
  for (const name of await namesIn(path)) {
    const folder = synced.folders.get(name)
    if (folder) folders.set(name, folder)
    else if (synced.files.has(name)) files.add(name)
    else if (!isPassing(name)) fresh.push(name)
  }
  const [kinds] = await Promise.all([
    syncAll(
      fresh.map((name) => join(path, name)),
      disk,
    ),
    fresh.length > 0 ? syncPath(path, disk).catch(unlessMissing) : undefined,
  ])
  for (const [index, name] of fresh.entries()) {
    if (kinds[index] === 'folder') folders.set(name, nothing)
    else if (kinds[index] === 'file') files.add(name)
  }
  await Promise.all(
    folders.entries().map(async ([name, folder]) => {
      folders.set(name, await syncFolder(join(path, name), folder, disk))
    }),
  )
  return { files, folders }
}

async function syncAll(paths: string[], disk: Disk): Promise<Kind[]> {
  const kinds: Kind[] = []
  for (let start = 0; start < paths.length; start += filesAtOnce) {
    const some = paths.slice(start, start + filesAtOnce)
    kinds.push(...(await Promise.all(some.map((path) => syncIfFile(path, disk)))))
  }
  return kinds
}

/** LanceDB gives a file its own name when it is written, and never changes it then. */
const isPassing = (name: string): boolean => name.startsWith('.tmp') || name.includes('#')

const namesIn = (path: string): Promise<string[]> =>
  readdir(path).catch((error: unknown) => {
    unlessMissing(error)
    return []
  })

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** When the disk did not keep what it was given. Whether it did cannot be asked again. */
export class DiskFailed extends Error {
  constructor(cause: unknown) {
    super('What was written could not be put on the disk.', { cause })
  }
}

/** Puts it on the disk if it is a file. */
async function syncIfFile(path: string, disk: Disk): Promise<Kind> {
  try {
    return await opened(path, async (file) => {
      if ((await file.stat()).isDirectory()) return 'folder'
      await syncOpen(file, disk)
      return 'file'
    })
  } catch (error) {
    unlessMissing(error)
    return undefined
  }
}

/**
 * Puts a file, or which names a directory holds, on the disk.
 * @throws DiskFailed; what opening it failed with, which can be tried again
 */
export const syncPath = (path: string, disk: Disk = { failure: undefined }): Promise<void> =>
  opened(path, (file) => syncOpen(file, disk))

async function opened<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** What fails is remembered before anything else is done, which may fail in another way. */
const syncOpen = (file: FileHandle, disk: Disk): Promise<void> =>
  file.sync().catch((cause: unknown) => {
    disk.failure ??= new DiskFailed(cause)
    throw disk.failure
  })
