import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Chore } from './chores.ts'

/** What it is told, and what it answers. */
export type Order = { id: number; table: string; chore: Chore }
export type Outcome = { id: number } & ({ wasDue: boolean } | { error: string })

const file = join(import.meta.dirname, 'chore-main.ts')

/** A process that does chores, as long as it lasts. */
export class ChoreChild {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<boolean>>()
  #last = 0
  #isAlive = true

  /** @param uri where its tables are */
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

  /**
   * @returns whether there was anything to be done
   * @throws what went wrong there, or when it is gone
   */
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
