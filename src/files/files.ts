import { Overloaded, TooManyRequests } from '../errors.ts'
import { type Deadline, orAborted } from '../scheduling/deadline.ts'
import { FairSemaphore } from '../scheduling/fair-semaphore.ts'
import { SharedRoom } from '../scheduling/shared-room.ts'
import { checkedText } from './checked-text.ts'
import { readInProcess } from './file-process.ts'
import type { FileText } from './file-text.ts'
import { plainTextOf } from './plain-text.ts'
import { toldOf } from './told.ts'
import type { UploadedFile } from './uploaded-file.ts'

/** Of which one workspace holds at most two. */
const maxAtOnce = 3
/** Of which one workspace alone gets half. */
const maxInHand = 32
/** About as long as a file takes; refused clients return over some time. */
const retrySeconds = 5

/** Reads files: plain texts at once, others some at a time in processes of their own. */
export class Files {
  readonly #slots = new FairSemaphore(maxAtOnce)
  readonly #room = new SharedRoom(maxInHand)
  readonly #closed = new AbortController()
  readonly #readMarked: typeof readInProcess

  constructor(readMarked = readInProcess) {
    this.#readMarked = readMarked
  }

  /**
   * Ends when the client goes.
   * @throws TooManyRequests, Overloaded, Abandoned; ServiceError `unsupported_media_type`, `unreadable_file`, `no_text`, `payload_too_large`
   */
  async read(file: UploadedFile, workspace: string, deadline: Deadline): Promise<FileText> {
    const { bytes } = file
    const told = toldOf(file)
    const text = plainTextOf(bytes, told)
    if (text !== undefined) return checkedText({ text, pages: null })
    this.#checkRoom(workspace)
    this.#room.take(workspace, 1)
    const signal = AbortSignal.any([deadline.signal, deadline.clientGone, this.#closed.signal])
    const reading = this.#slots.run(workspace, () => {
      signal.throwIfAborted()
      return this.#readMarked(bytes, told, signal)
    })
    try {
      return await orAborted(reading, signal)
    } finally {
      this.#room.release(workspace, 1)
    }
  }

  close(): void {
    this.#closed.abort(new Error('The service is closed.'))
  }

  #checkRoom(workspace: string): void {
    if (this.#room.isFull(1)) throw new Overloaded('files', retrySeconds)
    if (this.#room.leftFor(workspace) < 1) throw new TooManyRequests('files', retrySeconds)
  }
}
