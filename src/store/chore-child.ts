import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Chore } from './chores.ts'
import { priorityAfter } from './thread-priority.ts'
import { makeScratch, removeScratch } from './scratch.ts'

/** What it is told, and what it answers. */
export type Order = { id: number; table: string; chore: Chore }
export type Outcome = { id: number; error?: string }

const file = join(import.meta.dirname, 'chore-main.ts')

/** A process that does chores, as long as it lasts. */
export class ChoreChild {
  readonly #child: ChildProcess
  readonly #scratch: string
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>()
  #last = 0
  #isAlive = true

  /**
   * @param uri where its tables are
   * @param after by how much it comes after this process, as in `os.setPriority`
   */
  constructor(uri: string, after = 0) {
    this.#scratch = makeScratch(uri)
    this.#child = this.#fork(uri)
    this.#lower(after)
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

  /** @throws what went wrong there, or when it is gone */
  run(table: string, chore: Chore): Promise<void> {
    const waiting = Promise.withResolvers<void>()
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

  #fork(uri: string): ChildProcess {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
    try {
      return fork(file, [uri, this.#scratch], { execArgv: [], stdio: [...stdio] })
    } catch (cause) {
      removeScratch(this.#scratch)
      throw cause
    }
  }

  /** Threads have that of who starts them, so that it comes before they are there. */
  #lower(after: number): void {
    const { pid } = this.#child
    try {
      if (pid !== undefined) setPriority(pid, priorityAfter(after))
    } catch {
      // It ends as soon as it began, or must not be changed, and may then take longer or more.
    }
  }

  #settle({ id, error }: Outcome): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(new Error(error))
  }

  #end(): void {
    this.#isAlive = false
    for (const { reject } of this.#waiting.values())
      reject(new Error('The process for it is gone.'))
    this.#waiting.clear()
    removeScratch(this.#scratch)
  }
}
