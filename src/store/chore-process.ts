import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Chore } from './chores.ts'

export type Order = { id: number; table: string; chore: Chore }

export type Outcome = { id: number } & ({ wasDue: boolean } | { error: string })

const file = join(import.meta.dirname, 'chore-main.ts')

/** Started again as soon as it is needed, it takes a third of a second. */
const idleMilliseconds = 10_000

/** A limit of processes or memory takes one after the other. */
const mostLost = 3

/**
 * Has chores done by a process of its own, whose threads those of queries need not wait for, and which
 * gives back what memory they took when it ends. Beside 300 new documents a second the p99 of queries
 * by vector on 100,000 fragments was 107 to 132 ms, and 160 to 175 where the server did them. A lower
 * priority gained nothing, and had writes wait longer.
 */
export class ChoreProcess {
  readonly #uri: string
  #running: Running | undefined
  #idle: NodeJS.Timeout | undefined
  /** How many on end were gone before they had done anything. */
  #lost = 0
  #isClosed = false

  /** @param uri where its tables are */
  constructor(uri: string) {
    this.#uri = uri
  }

  /**
   * @returns whether there was anything to be done; undefined where no such process can be had
   * @throws what went wrong there, or when the process is gone
   */
  async run(table: string, chore: Chore): Promise<boolean | undefined> {
    if (this.#isClosed) throw new Error('The store is closed.')
    if (this.#lost >= mostLost) return undefined
    clearTimeout(this.#idle)
    if (!this.#running?.isAlive) this.#running = new Running(this.#uri)
    const running = this.#running
    try {
      const wasDue = await running.run(table, chore)
      this.#lost = 0
      return wasDue
    } catch (error) {
      if (!running.isAlive) this.#lost += 1
      throw error
    } finally {
      if (running === this.#running && running.isIdle) this.#endWhenIdle()
    }
  }

  /** Ends the process, if there is one, and starts no other. What it breaks off harms nothing. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(), idleMilliseconds).unref()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#running?.stop()
    this.#running = undefined
  }
}

/** One such process, as long as it lasts. */
class Running {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<boolean>>()
  #last = 0
  #isAlive = true

  constructor(uri: string) {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
    this.#child = fork(file, [uri], { execArgv: [], stdio: [...stdio] })
    this.#child.on('message', (outcome: Outcome) => this.#settle(outcome))
    this.#child.on('error', () => this.#end())
    this.#child.on('exit', () => this.#end())
    // Nothing is to wait for it to end.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  run(table: string, chore: Chore): Promise<boolean> {
    const waiting = Promise.withResolvers<boolean>()
    // Where it could not be started at all, nobody is given this.
    waiting.promise.catch(() => undefined)
    const order: Order = { id: ++this.#last, table, chore }
    this.#waiting.set(order.id, waiting)
    this.#child.send(order, (error) => {
      if (error) this.#end()
    })
    return waiting.promise
  }

  stop(): void {
    this.#child.kill('SIGKILL')
    this.#end()
  }

  #settle(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.id)
    this.#waiting.delete(outcome.id)
    if ('error' in outcome) waiting?.reject(new Error(outcome.error))
    else waiting?.resolve(outcome.wasDue)
  }

  #end(): void {
    this.#isAlive = false
    for (const { reject } of this.#waiting.values())
      reject(new Error('The process for it is gone.'))
    this.#waiting.clear()
  }
}
