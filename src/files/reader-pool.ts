import { type FileProcess, startFileProcess } from './file-process.ts'
import type { FileText } from './file-text.ts'
import type { FileHints } from './uploaded-file.ts'

const maxProcesses = 3
const maxIdleMilliseconds = 30_000

type Idle = { workspace: string; reader: FileProcess; timer: NodeJS.Timeout }

/**
 * Reads files in other processes. One serves a single workspace, because a hostile file might change what
 * it does with the next. It stays for a while, because starting one takes longer than reading most files.
 */
export class ReaderPool {
  readonly #idle: Idle[] = []
  #running = 0
  #isClosed = false

  /** The caller has at most `maxProcesses` files read at once. @throws ServiceError */
  async read(
    bytes: Buffer,
    hints: FileHints,
    workspace: string,
    signal: AbortSignal,
  ): Promise<FileText> {
    this.#running += 1
    let reader: FileProcess | undefined
    try {
      reader = this.#idleOf(workspace) ?? (await startFileProcess())
      signal.throwIfAborted()
      return await reader.read(bytes, hints, signal)
    } finally {
      this.#running -= 1
      if (reader?.goesOn) this.#keep(workspace, reader)
    }
  }

  /** Ends those that wait. The others end by their signals. */
  close(): void {
    this.#isClosed = true
    for (const { reader } of this.#idle.splice(0)) reader.end()
  }

  #idleOf(workspace: string): FileProcess | undefined {
    const own = this.#idle.find((idle) => idle.workspace === workspace && idle.reader.goesOn)
    if (own) return this.#take(own)
    while (this.#idle.length > 0 && this.#idle.length + this.#running > maxProcesses)
      this.#take(this.#idle[0]!).end()
    return undefined
  }

  #take(idle: Idle): FileProcess {
    clearTimeout(idle.timer)
    this.#idle.splice(this.#idle.indexOf(idle), 1)
    return idle.reader
  }

  #keep(workspace: string, reader: FileProcess): void {
    if (this.#isClosed) return reader.end()
    const timer = setTimeout(() => this.#take(idle).end(), maxIdleMilliseconds).unref()
    const idle = { workspace, reader, timer }
    this.#idle.push(idle)
  }
}
