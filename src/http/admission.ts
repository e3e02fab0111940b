import { Overloaded } from '../errors.ts'

/**
 * Far more than the disk takes in a second, and little enough to be held: while it is written, a
 * text takes some ten times its own bytes.
 */
const mostRequests = 1_024
const mostBytes = 64 * 1024 * 1024

/** The budget of the writes that are being received, worked on, or wait for their turn, over all tables. */
export class Admission {
  #requests = 0
  #bytes = 0

  /**
   * Takes a request in, if there is room for it and for that many bytes of its body. A body of any
   * size is taken when nothing else is.
   * @throws Overloaded
   */
  enter(bytes: number): Admitted {
    const hasRoom = this.#requests < mostRequests && this.#bytes + bytes <= mostBytes
    if (this.#requests > 0 && !hasRoom) throw new Overloaded()
    this.#requests += 1
    this.#bytes += bytes
    return {
      leave: () => {
        this.#requests -= 1
        this.#bytes -= bytes
      },
    }
  }
}

/** A request that was taken in; `leave` is to be called once, when nothing of it is held any more. */
export type Admitted = { leave(): void }
