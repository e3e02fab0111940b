import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoringMissing } from './errno.ts'

const maxOpenFiles = 64

type Folder = { files: ReadonlySet<string>; folders: ReadonlyMap<string, Folder> }

/** Undefined if the entry went with an old version. */
type Kind = 'file' | 'folder' | undefined

type Disk = { failure: DiskFailed | undefined }

const emptyFolder: Folder = { files: new Set(), folders: new Map() }

/** Syncs what LanceDB wrote, because LanceDB does not. Files never change, so each is synced once. */
export class FolderSync {
  readonly directory: string
  readonly #disk: Disk = { failure: undefined }
  #synced = emptyFolder

  constructor(directory: string) {
    this.directory = directory
  }

  /** Settles when all files survive a power cut. @throws DiskFailed, from then on always */
  async sync(): Promise<void> {
    try {
      this.#synced = await syncFolder(this.directory, this.#synced, this.#disk)
    } finally {
      // The system reports a failed disk only once, and perhaps to another sync.
      this.#checkDisk()
    }
  }

  #checkDisk(): void {
    if (this.#disk.failure) throw this.#disk.failure
  }
}

/** Syncs the new entries of a folder. @returns all entries */
async function syncFolder(path: string, synced: Folder, disk: Disk): Promise<Folder> {
  const names = (await readdir(path).catch(ignoringMissing)) ?? []
  const files = new Set(names.filter((name) => synced.files.has(name)))
  const folders = new Map<string, Folder>()
  for (const name of names) {
    const folder = synced.folders.get(name)
    if (folder) folders.set(name, folder)
  }
  const fresh = names.filter((name) => !files.has(name) && !folders.has(name) && !isTemporary(name))
  const [kinds] = await Promise.all([
    syncAll(path, fresh, disk),
    fresh.length > 0 ? syncPath(path, disk).catch(ignoringMissing) : undefined,
  ])
  for (const [index, name] of fresh.entries()) {
    if (kinds[index] === 'folder') folders.set(name, emptyFolder)
    else if (kinds[index] === 'file') files.add(name)
  }
  await Promise.all(
    folders.entries().map(async ([name, folder]) => {
      folders.set(name, await syncFolder(join(path, name), folder, disk))
    }),
  )
  return { files, folders }
}

async function syncAll(path: string, names: string[], disk: Disk): Promise<Kind[]> {
  const kinds: Kind[] = []
  for (let start = 0; start < names.length; start += maxOpenFiles) {
    const some = names.slice(start, start + maxOpenFiles)
    kinds.push(...(await Promise.all(some.map((name) => syncIfFile(join(path, name), disk)))))
  }
  return kinds
}

/** LanceDB renames a file once it is written. */
export const isTemporary = (name: string): boolean => name.startsWith('.tmp') || name.includes('#')

/** The disk did not keep what was written. */
export class DiskFailed extends Error {
  constructor(cause: unknown) {
    super('What was written could not be put on the disk.', { cause })
  }
}

const syncIfFile = (path: string, disk: Disk): Promise<Kind> =>
  opened(path, async (file): Promise<Kind> => {
    if ((await file.stat()).isDirectory()) return 'folder'
    await syncOpen(file, disk)
    return 'file'
  }).catch(ignoringMissing)

/** Syncs a file, or the names in a directory. @throws DiskFailed; the error of opening it */
export const syncPath = (path: string, disk: Disk = { failure: undefined }): Promise<void> =>
  opened(path, (file) => syncOpen(file, disk))

async function opened<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, 'r')
  return await use(file)
}

const syncOpen = (file: FileHandle, disk: Disk): Promise<void> =>
  file.sync().catch((cause: unknown) => {
    disk.failure ??= new DiskFailed(cause)
    throw disk.failure
  })
