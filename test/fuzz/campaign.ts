import { ask, findCulprit, type Sent } from './culprit.ts'
import { drawCase } from './draw-case.ts'
import { Findings } from './findings.ts'
import type { FuzzServer } from './fuzz-server.ts'
import { faultsOf } from './judge.ts'
import { noteAnswer, noteSent, stayed } from './learn.ts'
import { Sender } from './send.ts'
import type { Answer } from './wire.ts'
import type { World } from './world.ts'

const concurrency = 8
const mostExits = 20
const tellEach = 1_000
/** The process may end some time after the answer to the request that it is about. */
const mostSuspects = 24

/** Sends requests, several at a time, and collects what is wrong with their answers. */
export class Campaign {
  readonly findings = new Findings()
  /** How many answers there were by what was expected and their status. */
  readonly counts = new Map<string, number>()
  readonly #server: FuzzServer
  readonly #world: World
  readonly #seed: number
  #sender: Sender
  #suspects: Sent[] = []
  #reviving: Promise<void> | undefined
  #exits = 0

  constructor(server: FuzzServer, world: World, seed: number) {
    this.#server = server
    this.#world = world
    this.#seed = seed
    this.#sender = new Sender(server.url, concurrency)
  }

  /** `tell` is called now and then, with how many were sent. */
  async run(requests: number, tell: (sent: number) => void): Promise<void> {
    let next = 0
    const work = async () => {
      while (next < requests && this.#exits < mostExits) {
        if (next > 0 && next % tellEach === 0) tell(next)
        await this.#do(next++)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    if (!(await this.#server.isAlive())) await this.#revive()
    await this.#sender.close()
  }

  async #do(index: number): Promise<void> {
    await this.#reviving
    const one = drawCase(this.#world, this.#seed, index)
    this.#suspects = [...this.#suspects, { index, one }].slice(-mostSuspects)
    noteSent(one)
    const since = one.caller.workspace.things.clock
    const answers = await this.#ask({ index, one })
    noteAnswer(one, answers[0], since)
    for (const answer of answers) await this.#judge({ index, one }, answer, since)
    this.#world.remember(one)
  }

  async #ask(sent: Sent): Promise<Answer[]> {
    const sender = this.#sender
    try {
      return await ask(this.#server.url, sent.one, sender)
    } catch (error) {
      await this.#reviving
      // Whatever was under way when the process ended has no answer.
      if (sender !== this.#sender) return []
      if (!(await this.#server.isAlive())) await (this.#reviving ??= this.#revive())
      else this.findings.add(`no answer: ${(error as Error).message}`, sent.index, sent.one)
      return []
    }
  }

  async #judge({ index, one }: Sent, answer: Answer, since: number): Promise<void> {
    const name = `${one.expected} ${answer.status}`
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    const faults = await faultsOf(one, answer, () => stayed(one, since), this.#server.secrets)
    for (const fault of faults) this.findings.add(fault, index, one, answer)
  }

  /** Finds what ended the process, and goes on with a new one. */
  async #revive(): Promise<void> {
    this.#exits++
    const words = this.#server.lastWords
    const suspects = this.#suspects
    const found = await findCulprit(this.#server, suspects)
    const { index, one } = found ?? suspects.at(-1)!
    const by = found ? 'ends the process' : 'is the last before the process ended'
    this.findings.add(`${by}: ${words}`, index, one)
    await this.#sender.close()
    this.#sender = new Sender(this.#server.url, concurrency)
    this.#suspects = []
    this.#reviving = undefined
  }
}
