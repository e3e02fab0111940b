import { randomBytes } from 'node:crypto'
import { stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '../../process/log.ts'
import { freeBytes } from './free-bytes.ts'
import { ignoring } from './errno.ts'

const bytes = 4 * 1024 * 1024
const partBytes = bytes / 8
const minFreeToFill = 16 * 1024 * 1024

/** A file that holds room for deletes on a disk that others may fill. It gives up room part by part. */
export class Reserve {
  readonly #directory: string
  readonly #log: Log
  #isWhole = false
  #filling: Promise<void> | undefined

  constructor(directory: string, log: Log) {
    this.#directory = directory
    this.#log = log
  }

  get #path(): string {
    return join(this.#directory, 'reserve')
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
    if ((await this.#size()) < bytes) {
      // A file system that compresses would keep no room for zeros.
      await writeFile(this.#path, await promisify(randomBytes)(bytes), { flush: true })
    }
    this.#isWhole = true
  }

  async #size(): Promise<number> {
    return (await stat(this.#path).catch(ignoring('ENOENT')))?.size ?? 0
  }
}
