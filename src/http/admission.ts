import { Overloaded } from '../errors.ts'

/**
 * Far more than the disk takes in a second, and little enough to be held: while it is written, a
 * text takes some ten times its own bytes.
 */
const mostRequests = 1_024
const mostBytes = 64 * 1024 * 1024

/** The budget of the writes that are being worked on or wait for their turn, over all tables. */
export class Admission {
  #requests = 0
  #bytes = 0

  /**
   * Does the work of a request with a body of that many bytes, if there is room for it now. A body
   * of any size is taken when nothing else is.
   * @throws Overloaded
   */
  async admit<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const hasRoom = this.#requests < mostRequests && this.#bytes + bytes <= mostBytes
    if (this.#requests > 0 && !hasRoom) throw new Overloaded()
    this.#requests += 1
    this.#bytes += bytes
    try {
      return await work()
    } finally {
      this.#requests -= 1
      this.#bytes -= bytes
    }
  }
}
