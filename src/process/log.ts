import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config/config.ts'

export type Log = Logger

/** @param server named in each line, where there may be several */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = stderrLines(),
  server?: string,
): Log {
  const base = server === undefined ? null : { server }
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

export async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
}

const maxHeld = 1024 * 1024
const retryMilliseconds = 50
const maxEndMilliseconds = 2_000

/** @returns how many bytes it took @throws while it takes none */
type Write = (bytes: Buffer) => number

/** Lines for a reader that may stop reading: the newest are held, and others counted. Only an end waits for it. */
export class LogLines {
  readonly #write: Write
  #begun: Buffer | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #dropped = 0
  #retry: NodeJS.Timeout | undefined

  constructor(write: Write) {
    this.#write = write
  }

  write(line: string): void {
    this.#hold(Buffer.from(line))
    if (!this.#retry) this.#writeHeld()
  }

  /** Call when the process ends. Waits a moment for a slow reader. */
  flush(): void {
    const end = performance.now() + maxEndMilliseconds
    while (this.#writeHeld() === 'slow' && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMilliseconds)
    }
  }

  #hold(line: Buffer): void {
    this.#held.push(line)
    this.#heldBytes += line.length
    while (this.#heldBytes > maxHeld && this.#held.length > 1) {
      this.#heldBytes -= this.#held.shift()!.length
      this.#dropped += 1
    }
  }

  #writeHeld(): 'reading' | 'slow' | 'gone' {
    clearTimeout(this.#retry)
    this.#retry = undefined
    try {
      while (this.#next()) this.#writeBegun()
      return 'reading'
    } catch (error) {
      this.#retry = setTimeout(() => this.#writeHeld(), retryMilliseconds).unref()
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'slow' : 'gone'
    }
  }

  #next(): boolean {
    if (this.#begun) return true
    if (this.#dropped > 0) {
      this.#begun = Buffer.from(droppedLine(this.#dropped))
      this.#dropped = 0
      return true
    }
    this.#begun = this.#held.shift()
    this.#heldBytes -= this.#begun?.length ?? 0
    return this.#begun !== undefined
  }

  #writeBegun(): void {
    while (this.#begun) {
      const rest = this.#begun.subarray(this.#write(this.#begun))
      this.#begun = rest.length > 0 ? rest : undefined
    }
  }
}

const droppedLine = (dropped: number): string =>
  `${JSON.stringify({
    level: 40,
    time: new Date().toISOString(),
    dropped,
    msg: `${dropped} lines of the log were dropped, because nobody read them`,
  })}\n`

/** The lines of stderr. What is held is written as the process ends. */
function stderrLines(): LogLines {
  // Node opens a pipe without waiting for its reader only once it is asked for the stream.
  void process.stderr
  const lines = new LogLines((bytes) => writeSync(2, bytes))
  process.on('exit', () => lines.flush())
  return lines
}
