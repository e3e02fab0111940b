import { access, constants } from 'node:fs/promises'
import type { Log } from '../../process/log.ts'
import { freeBytes } from './directory.ts'
import { DiskFailed, type FolderSync } from './folder-sync.ts'

/** Where a store is: in a directory of its own, or in an object store, which servers share. */
export class Volume {
  readonly directory: string | undefined
  readonly #log: Log
  #failure: DiskFailed | undefined

  constructor(directory: string | undefined, log: Log) {
    this.directory = directory
    this.#log = log
  }

  get isShared(): boolean {
    return this.directory === undefined
  }

  /** Whether its disk kept all that it was given. */
  get isSound(): boolean {
    return this.#failure === undefined
  }

  /** @throws DiskFailed */
  checkSound(): void {
    if (this.#failure) throw this.#failure
  }

  async checkWritable(): Promise<void> {
    this.checkSound()
    if (this.directory !== undefined) await access(this.directory, constants.W_OK)
  }

  async hasRoom(bytes: number): Promise<boolean> {
    return this.directory === undefined || (await freeBytes(this.directory)) >= bytes
  }

  /** A disk that failed may report success the next time, so it is never written again. @throws DiskFailed */
  async sync(folder: FolderSync | undefined): Promise<void> {
    this.checkSound()
    try {
      await folder?.sync()
    } catch (error) {
      if (error instanceof DiskFailed) {
        this.#failure = error
        this.#log.error({ err: error }, 'the store is closed for writes: its disk failed')
      }
      throw error
    }
  }
}
