import { Overloaded, TooManyRequests } from '../errors/errors.ts'
import { type Deadline, orAborted } from '../process/deadline.ts'
import { FairSemaphore, SharedBudget } from '../process/fair-shares.ts'
import { checkedText } from './checked-text.ts'
import { unicodeText } from './decode-text.ts'
import { ReaderPool } from './reader-pool.ts'
import type { FileText } from './file-text.ts'
import { mayBeText } from './is-text.ts'
import { markedKind } from './kind.ts'
import type { Decoded } from './named-encoding.ts'
import { unsupported } from './refusals.ts'
import { textKindOf } from './text-kind.ts'
import { hintsOf, type FileHints, type UploadedFile } from './uploaded-file.ts'

/** One workspace holds at most two. */
const maxAtOnce = 3
/** One workspace alone gets half. */
const maxInHand = 32
/** About as long as a file takes; refused clients return over some time. */
const retrySeconds = 5

/** Extracts text from files: plain text in this process, other kinds in child processes, a few at a time. */
export class Files {
  readonly #slots = new FairSemaphore(maxAtOnce)
  readonly #room = new SharedBudget(maxInHand)
  readonly #closed = new AbortController()
  readonly #readers: Pick<ReaderPool, 'read' | 'close'>

  constructor(readers: Pick<ReaderPool, 'read' | 'close'> = new ReaderPool()) {
    this.#readers = readers
  }

  /**
   * @throws TooManyRequests, Overloaded, Abandoned; ServiceError `unsupported_media_type`, `unreadable_file`,
   * `no_text`, `payload_too_large`
   */
  async read(file: UploadedFile, workspace: string, deadline: Deadline): Promise<FileText> {
    const { bytes } = file
    const hints = hintsOf(file)
    const plain = plainTextOf(bytes, hints)
    if (plain) return checkedText(plain)
    this.#checkRoom(workspace)
    this.#room.take(workspace, 1)
    try {
      return await this.#readInTurn(bytes, hints, workspace, deadline)
    } finally {
      this.#room.release(workspace, 1)
    }
  }

  close(): void {
    this.#closed.abort(new Error('The service is closed.'))
    this.#readers.close()
  }

  #readInTurn(
    bytes: Buffer,
    hints: FileHints,
    workspace: string,
    deadline: Deadline,
  ): Promise<FileText> {
    const signal = AbortSignal.any([deadline.signal, deadline.clientGone, this.#closed.signal])
    // A file may wait behind large ones of others, for as long as they take.
    deadline.pause()
    const reading = this.#slots.run(workspace, () => {
      signal.throwIfAborted()
      deadline.start()
      return this.#readers.read(bytes, hints, workspace, signal)
    })
    return orAborted(reading, signal)
  }

  #checkRoom(workspace: string): void {
    if (this.#room.isFull(1)) throw new Overloaded('files', retrySeconds)
    if (this.#room.leftFor(workspace) < 1) throw new TooManyRequests('files', retrySeconds)
  }
}

/** A longer file would take this process too long. */
const maxBytesHere = 4 * 1024 * 1024
/** Enough bytes to recognize a file that is no text. */
const headLength = 64 * 1024

/** Undefined if it needs a parser, another encoding or a long time. @throws ServiceError as `markedKind` */
export function plainTextOf(bytes: Buffer, hints: FileHints): Decoded | undefined {
  if (bytes.length > maxBytesHere || markedKind(bytes)) return undefined
  if (hints.charset && !/^utf-?8$/i.test(hints.charset)) return undefined
  const decoded = unicodeText(bytes)
  if (!decoded && !mayBeText(bytes.subarray(0, headLength))) throw unsupported()
  return decoded && textKindOf(decoded.text, hints) ? undefined : decoded
}
