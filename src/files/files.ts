import { Semaphore } from 'async-mutex'
import { Overloaded } from '../errors.ts'
import { type Deadline, orAborted } from '../scheduling/deadline.ts'
import { checkedText } from './checked-text.ts'
import { readInProcess } from './file-process.ts'
import type { FileText } from './file-text.ts'
import { plainTextOf } from './plain-text.ts'
import type { UploadedFile } from './uploaded-file.ts'

const maxAtOnce = 2
const maxInHand = 16
/** About as long as a file takes; refused clients return over some time. */
const retrySeconds = 5

const htmlName = /\.x?html?$/i
const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i

/** Reads files: plain texts at once, others some at a time in processes of their own. */
export class Files {
  readonly #turns = new Semaphore(maxAtOnce)
  readonly #closed = new AbortController()
  #inHand = 0

  /** Ends when the client goes. @throws Overloaded; Abandoned; ServiceError `unsupported_media_type`, `unreadable_file`, `no_text`, `payload_too_large` */
  async read({ name, mediaType, bytes }: UploadedFile, deadline: Deadline): Promise<FileText> {
    const isNamedHtml = htmlName.test(name) || htmlType.test(mediaType)
    const text = plainTextOf(bytes, isNamedHtml)
    if (text !== undefined) return checkedText({ text, pages: null })
    if (this.#inHand >= maxInHand) throw new Overloaded('files', retrySeconds)
    this.#inHand += 1
    const signal = AbortSignal.any([deadline.signal, deadline.clientGone, this.#closed.signal])
    const reading = this.#turns.runExclusive(() => {
      signal.throwIfAborted()
      return readInProcess(bytes, isNamedHtml, signal)
    })
    try {
      return await orAborted(reading, signal)
    } finally {
      this.#inHand -= 1
    }
  }

  close(): void {
    this.#closed.abort(new Error('The service is closed.'))
  }
}
