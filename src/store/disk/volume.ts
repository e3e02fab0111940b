import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFull, Unavailable } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { translated } from '../lance/faults.ts'
import { DiskFailed, type FolderSync } from './folder-sync.ts'
import { freeBytes } from './free-bytes.ts'
import { Reserve } from './reserve.ts'

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

  /** Whether so many bytes are free and the reserve is full. */
  async hasRoom(bytes: number): Promise<boolean> {
    if (this.directory === undefined) return true
    const hasRoom = (await freeBytes(this.directory)) >= bytes
    if (hasRoom) await this.#reserve?.fill()
    return hasRoom
  }

  async fillReserve(): Promise<void> {
    await this.#reserve?.fill()
  }

  /** Does work that needs little room, for which the reserve gives up some if there is none. @throws StorageFull */
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

  /** Ends all writes; reads go on. */
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
