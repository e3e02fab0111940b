import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Chore } from './chores.ts'

export type Order = { id: number; table: string; chore: Chore }

export type Outcome = { id: number } & ({ wasDue: boolean } | { error: string })

const file = join(import.meta.dirname, 'chore-main.ts')

/** Started again as soon as it is needed, it takes a third of a second. */
const idleMilliseconds = 10_000

/**
 * Has chores done by a process of its own, which yields to this one where there is too little to go
 * round, and gives back what memory they took when it ends. Beside 300 new documents a second the p99
 * of queries by vector on 100,000 fragments was 107 to 126 ms, and 160 to 175 where the server did them.
 */
export class ChoreProcess {
  readonly #uri: string
  #running: Running | undefined
  #idle: NodeJS.Timeout | undefined

  /** @param uri where its tables are */
  constructor(uri: string) {
    this.#uri = uri
  }

  /**
   * @returns whether there was anything to be done
   * @throws what went wrong there, or when the process is gone
   */
  async run(table: string, chore: Chore): Promise<boolean> {
    clearTimeout(this.#idle)
    if (!this.#running?.isAlive) this.#running = new Running(this.#uri)
    const running = this.#running
    try {
      return await running.run(table, chore)
    } finally {
      if (running === this.#running && running.isIdle) {
        clearTimeout(this.#idle)
        this.#idle = setTimeout(() => this.stop(), idleMilliseconds).unref()
      }
    }
  }

  /** Ends the process, if there is one. What it breaks off harms nothing. */
  stop(): void {
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
