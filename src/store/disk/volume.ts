import { randomBytes } from 'node:crypto'
import { rm, writeFile, stat, truncate, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StorageFull, Unavailable } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { translated } from '../lance/faults.ts'
import { ignoringMissing } from './errno.ts'
import { DiskFailed, type FolderSync } from './folder-sync.ts'

/** The place of a store: its own directory, or an object store, which servers share. */
export class Volume {
  readonly directory: string | undefined
  readonly isShared: boolean
  readonly #log: Log
  readonly #reserve: Reserve | undefined
  #failure: DiskFailed | undefined

  constructor(directory: string | undefined, log: Log) {
    this.directory = directory
    this.isShared = directory === undefined
    this.#log = log
    this.#reserve = directory === undefined ? undefined : new Reserve(directory, log)
  }

  get isSound(): boolean {
    return this.#failure === undefined
  }

  /** @throws Unavailable from the first failed sync on, because a later one may report success falsely */
  checkSound(): void {
    if (this.#failure) throw new Unavailable(closedForWrites, { cause: this.#failure })
  }

  /** @throws Unavailable if nothing can be written; StorageFull if nothing can be deleted either */
  async checkWritable(): Promise<void> {
    this.checkSound()
    if (this.directory === undefined) return
    try {
      await translated(tryToWrite(this.directory))
    } catch (error) {
      if (!(error instanceof StorageFull) || (await this.#reserve?.isEmpty())) throw error
    }
  }

  /** Whether this many bytes are free and the reserve is full. */
  async hasRoom(bytes: number): Promise<boolean> {
    if (this.directory === undefined) return true
    const hasRoom = (await freeBytes(this.directory)) >= bytes
    if (hasRoom) await this.#reserve?.fill()
    return hasRoom
  }

  async fillReserve(): Promise<void> {
    await this.#reserve?.fill()
  }

  /** Does work that needs little room. The reserve shrinks if there is none. @throws StorageFull */
  async withReserve<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StorageFull) || !(await this.#reserve?.giveUp())) throw error
      }
    }
  }

  /** @throws DiskFailed, from then on always: earlier writes may not be on the disk */
  async sync(folder: FolderSync | undefined): Promise<void> {
    if (this.#failure) throw this.#failure
    try {
      await folder?.sync()
    } catch (error) {
      if (error instanceof DiskFailed) this.closeFor(error)
      throw error
    }
  }

  closeFor(failure: DiskFailed): void {
    if (this.#failure) return
    this.#failure = failure
    const next = 'Check the disk, then restart the server.'
    this.#log.error({ err: failure, next }, 'the store is closed for writes: its disk failed')
  }
}

const closedForWrites =
  'The disk of the store failed: nothing is stored until the server is restarted.'

/** Writes a file, because some file systems that became read-only still grant access. */
async function tryToWrite(directory: string): Promise<void> {
  const file = join(directory, '.write-check')
  await writeFile(file, 'written')
  await rm(file, { force: true })
}

const reserveBytes = 4 * 1024 * 1024
const partBytes = reserveBytes / 8
const minFreeToFill = 16 * 1024 * 1024

/** A file that holds room for deletes on a disk that others may fill. It gives up room part by part. */
class Reserve {
  readonly #directory: string
  readonly #path: string
  readonly #log: Log
  #isWhole = false
  #filling: Promise<void> | undefined

  constructor(directory: string, log: Log) {
    this.#directory = directory
    this.#path = join(directory, 'reserve')
    this.#log = log
  }

  /** Grows the reserve to its full size if there is room. */
  async fill(): Promise<void> {
    if (this.#isWhole) return
    // The next add tries again.
    this.#filling ??= this.#fill().catch(() => undefined)
    await this.#filling
    this.#filling = undefined
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#size()) === 0
  }

  async giveUp(): Promise<boolean> {
    const size = await this.#size()
    if (size === 0) return false
    this.#isWhole = false
    await truncate(this.#path, Math.max(0, size - partBytes))
    this.#log.warn({ left: size - partBytes }, 'the disk is full: a delete takes from the reserve')
    return true
  }

  async #fill(): Promise<void> {
    if ((await freeBytes(this.#directory)) < minFreeToFill) return
    if ((await this.#size()) < reserveBytes) {
      // A file system that compresses would keep no room for zeros.
      await writeFile(this.#path, await promisify(randomBytes)(reserveBytes), { flush: true })
    }
    this.#isWhole = true
  }

  async #size(): Promise<number> {
    return (await stat(this.#path).catch(ignoringMissing))?.size ?? 0
  }
}

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
