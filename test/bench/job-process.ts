import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { inspect } from 'node:util'

type Answer = { result: unknown } | { error: string }

/**
 * A process beside this one that does jobs, one at a time, so that its work takes nothing from the
 * event loop of whoever measures. `serveJobs` is its other end.
 */
export class JobProcess {
  readonly #child: ChildProcess

  /** Whether it has the priority that was asked for, which not everybody may give. */
  readonly isPrior: boolean

  constructor(file: string, priority?: number) {
    this.#child = fork(file, { serialization: 'advanced' })
    this.isPrior = priority !== undefined && isGiven(priority, this.#child.pid)
  }

  /** @throws what went wrong there, or when the process is gone. */
  async run<Result>(job: object): Promise<Result> {
    const answer = (await exchange(this.#child, job)) as Answer
    if ('error' in answer) throw new Error(answer.error)
    return answer.result as Result
  }

  readonly stop = async (): Promise<void> => {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

function isGiven(priority: number, pid: number | undefined): boolean {
  try {
    if (pid !== undefined) setPriority(pid, priority)
    return pid !== undefined
  } catch {
    return false
  }
}

/**
 * Sends a process a message, and settles with the next one that comes from it.
 * @throws when the process is gone
 */
export async function exchange(child: ChildProcess, message: Serializable): Promise<unknown> {
  if (!child.connected) throw new Error('The process for this job is gone.')
  const done = new AbortController()
  try {
    const { signal } = done
    child.send(message)
    const gone = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`The process for this job went with ${code}.`)
    })
    const [answer] = await Promise.race([once(child, 'message', { signal }), gone])
    return answer
  } finally {
    done.abort()
  }
}

/** Does what the process that started this one sends, of which `work` knows what it is, until that is gone. */
export function serveJobs(work: (job: never) => Promise<unknown>): void {
  const answer = async (job: unknown): Promise<Answer> => {
    try {
      return { result: await work(job as never) }
    } catch (error) {
      return { error: inspect(error) }
    }
  }
  process.on('message', (job) => {
    void answer(job).then((message) => process.send!(message))
  })
  process.on('disconnect', () => process.exit())
}
