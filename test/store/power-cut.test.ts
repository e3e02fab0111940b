import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Gone } from '../support/answers.ts'
import { Disk } from '../support/simulated-disk.ts'
import { checkHistory } from '../support/check-history.ts'
import { type Kill, writeUntilKilled } from '../support/kills.ts'
import { WriteHistory } from '../support/write-history.ts'
import { Random, roundsFor } from '../support/random.ts'
import { openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { canTrace, type KillAt, parseTrace, tracedTo } from '../support/strace.ts'

const { rounds, seed } = roundsFor('POWER_CUT', 0)
/** A cut may spare everything, so that losses are looked for in some of them. */
const unsyncedRounds = Math.max(rounds, 4)
const roundMilliseconds = 120_000

const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL')
})

/** A disk on which servers live one after the other, each until the power is cut. */
class Machine {
  readonly #place: string
  readonly #random: Random
  readonly #history = new WriteHistory()
  #cuts = 0
  /** How many versions of tables were deleted, which comes after compactions alone. */
  cleaned = 0

  private constructor(place: string, random: Random) {
    this.#place = place
    this.#random = random
  }

  static async start(random: Random): Promise<Machine> {
    const machine = new Machine(await temporaryDirectory(), random)
    await mkdir(machine.#directory)
    return machine
  }

  get #directory(): string {
    return join(this.#place, String(this.#cuts))
  }

  /**
   * Starts a server, looks what it has, and writes until the power is cut.
   * @returns what is not as it was acknowledged
   */
  async live(durability: 'fsync' | 'os', kill: Kill, killAt?: KillAt): Promise<string[]> {
    const directory = this.#directory
    const disk = new Disk(directory)
    const file = join(this.#place, 'trace')
    const settings = {
      DATA_URI: join(directory, 'data'),
      INITIAL_KEY: testKey,
      DURABILITY: durability,
    }
    const faults: string[] = []
    const failure = await this.#use(settings, tracedTo(file, killAt), kill, faults)
    const trace = await wholeTrace(file)
    // Where it was killed as it started there is nothing to tell.
    if (!trace.includes('+++ killed by SIGKILL +++')) {
      faults.push(`it stopped: ${failure}\n${trace.slice(-2000)}`)
    }
    disk.replay(parseTrace(trace))
    this.cleaned += trace.match(/unlink.*\.manifest"/g)?.length ?? 0
    this.#cuts += 1
    disk.cut(this.#directory, this.#random)
    await rm(directory, { recursive: true })
    return faults
  }

  /** What a server that starts now finds wrong. */
  async look(): Promise<string[]> {
    const faults: string[] = []
    try {
      const server = await openServer({ dataUri: join(this.#directory, 'data') })
      try {
        await checkHistory(server.url, this.#history, faults)
      } finally {
        await server.close()
      }
    } catch (error) {
      faults.push(String(error))
    }
    return faults
  }

  /** @returns why it did not start */
  async #use(
    settings: NodeJS.ProcessEnv,
    under: string[],
    kill: Kill,
    faults: string[],
  ): Promise<string | undefined> {
    const server = await spawnServer(settings, { wrapper: under }).catch(String)
    if (typeof server === 'string') return server
    started.push(server)
    const closed = new Promise((resolve) => server.process.once('close', resolve))
    try {
      await checkHistory(server.url, this.#history, faults)
      await writeUntilKilled(server, this.#history, this.#random, kill)
    } catch (error) {
      if (!(error instanceof Gone)) faults.push(String(error))
    } finally {
      await server.kill('SIGKILL')
      await closed
    }
    return undefined
  }
}

/** strace may still write when what it traced is gone; it ends with a line that says how it went. */
const wholeTrace = (file: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const trace = await readFile(file, 'utf8')
      if (!trace.endsWith('+++\n')) throw new Error('The trace has no end.')
      return trace
    },
    { timeout: 60_000 },
  )

/** As an answer arrives, a moment later, or as a system call is about to be made. */
function anyKill(random: Random): [Kill, KillAt?] {
  const answers = 40 + random.below(140)
  const dice = random.below(10)
  if (dice < 5) return [{ answers, pause: 0 }]
  if (dice < 7) return [{ answers, pause: 1 + random.below(30) }]
  return [
    { answers: 100, pause: 0 },
    { calls: random.pick(killCalls), n: 1 + random.below(50) },
  ]
}

const killCalls = ['fsync', 'link,linkat', 'rename,renameat', 'unlink,unlinkat', 'mkdir,openat']

/** A table of which more is torn than a power cut tears of what is synced cannot be read. */
const aLoss = /lost|not n?\d|cannot be read/

test.runIf(canTrace)(
  'after a power cut all that was acknowledged is there, and with DURABILITY=os it is not',
  { tags: 'deep', timeout: 9 * roundMilliseconds },
  async () => {
    const random = new Random(seed)
    const machine = await Machine.start(random)
    const faults: string[] = []
    for (let cuts = 0; cuts < unsyncedRounds && faults.length === 0; cuts++) {
      const synced = await machine.live('fsync', { answers: 40, pause: 0 })
      expect(synced, 'after nothing, or a cut that spared everything').toEqual([])
      expect(await machine.live('os', { answers: 40, pause: 0 }), 'after a cut').toEqual([])
      faults.push(...(await machine.look()))
    }
    expect(faults.join('\n')).toMatch(aLoss)
  },
)

test.runIf(canTrace && rounds > 0)(
  `${rounds} power cuts: nothing acknowledged is lost, and no document is half there`,
  { timeout: (rounds + 1) * roundMilliseconds },
  async () => {
    const random = new Random(seed)
    const machine = await Machine.start(random)
    for (let round = 0; round < rounds; round++) {
      const [kill, killAt] = anyKill(new Random(seed + round))
      expect(await machine.live('fsync', kill, killAt), `before cut ${round + 1}`).toEqual([])
    }
    expect(await machine.look()).toEqual([])
    expect(machine.cleaned).toBeGreaterThan(0)
  },
)
