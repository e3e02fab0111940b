import { readFileSync } from 'node:fs'
import type { Figure } from './figures.ts'

const pollMilliseconds = 100
const mostMebibytes = 1024

/** Watches how much memory of a process is resident. Where the system does not tell, all is NaN. */
export class ResidentMemory {
  readonly #pid: number
  readonly #polling: NodeJS.Timeout
  #peak = NaN

  constructor(pid: number) {
    this.#pid = pid
    this.#polling = setInterval(() => this.#poll(), pollMilliseconds)
  }

  /** The most MiB that were seen since this was last asked. */
  takePeak(): number {
    this.#poll()
    const peak = this.#peak
    this.#peak = NaN
    return peak
  }

  /** The most MiB that there ever were, which the system keeps. */
  highest(): number {
    return mebibytes(this.#status(), 'VmHWM')
  }

  readonly stop = async (): Promise<void> => clearInterval(this.#polling)

  #poll(): void {
    const now = mebibytes(this.#status(), 'VmRSS')
    if (!(now <= this.#peak)) this.#peak = now
  }

  #status(): string {
    try {
      return readFileSync(`/proc/${this.#pid}/status`, 'utf8')
    } catch {
      return ''
    }
  }
}

/** A figure of the status that the system gives of a process. */
export const mebibytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) / 1024

export const residentOf = (value: number): Figure => ({
  name: 'MiB resident',
  value,
  digits: 0,
  atMost: mostMebibytes,
})
