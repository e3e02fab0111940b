import { readFileSync } from 'node:fs'
import { childrenOf } from './children.ts'
import type { Figure } from './figures.ts'

const pollMilliseconds = 100

/**
 * Watches how much memory of a process, and of those it started, is resident. Where the system does
 * not tell, all is NaN.
 */
export class ResidentMemory {
  readonly #pid: number
  readonly #polling: NodeJS.Timeout
  #peak = NaN
  #highest = NaN

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

  /** The most MiB that were seen at all. */
  highest(): number {
    this.#poll()
    return this.#highest
  }

  readonly stop = async (): Promise<void> => clearInterval(this.#polling)

  #poll(): void {
    const children = childrenOf(this.#pid).filter((child) => !isCopy(child, this.#pid))
    const resident = children.map((child) => residentNow(child) || 0)
    const now = resident.reduce((sum, one) => sum + one, residentNow(this.#pid))
    if (!(now <= this.#peak)) this.#peak = now
    if (!(now <= this.#highest)) this.#highest = now
  }
}

/** Until a new process begins what it is there for it is that which started it, in the same memory. */
function isCopy(child: number, parent: number): boolean {
  try {
    return commandOf(child) === commandOf(parent)
  } catch {
    return false
  }
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

function residentNow(pid: number): number {
  try {
    return mebibytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
  } catch {
    return NaN
  }
}

/** A figure of the status that the system gives of a process. */
export const mebibytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) / 1024

export const residentOf = (value: number): Figure => ({ name: 'MiB resident', value, digits: 0 })
