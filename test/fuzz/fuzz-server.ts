import { once } from 'node:events'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import type { Secrets } from './leaks.ts'

const initialKey = 'canarykey-0123456789-0123456789-abcdef'

/** The service in a process of its own, so that it can be seen to end. */
export class FuzzServer {
  readonly secrets: Secrets
  readonly #settings: NodeJS.ProcessEnv
  #server: ServerProcess

  private constructor(server: ServerProcess, settings: NodeJS.ProcessEnv) {
    this.#server = server
    this.#settings = settings
    const words = {
      'the first key': initialKey,
      'the environment': settings.FUZZ_CANARY!,
      'the path of the data': settings.DATA_URI!,
    }
    this.secrets = { words, markers: [] }
  }

  static async start(): Promise<FuzzServer> {
    const settings = {
      DATA_URI: join(await temporaryDirectory(), 'canarydirectory'),
      INITIAL_KEY: initialKey,
      FUZZ_CANARY: 'canaryenvironment',
      LOG_LEVEL: 'error',
    }
    return new FuzzServer(await spawnServer(settings), settings)
  }

  get url(): string {
    return this.#server.url
  }

  readonly initialKey = initialKey

  /** Whether it answers; waits for its end where it does not. */
  async isAlive(): Promise<boolean> {
    const { process } = this.#server
    if (process.exitCode !== null || process.signalCode !== null) return false
    try {
      const { ok } = await fetch(`${this.url}/health/live`, { headers: { connection: 'close' } })
      if (ok) return true
    } catch {
      // A server that ends takes no connection.
    }
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
    return false
  }

  /** What its process wrote last before it ended. */
  get lastWords(): string {
    return this.#server.errors().slice(-2_000)
  }

  async restart(): Promise<void> {
    await this.#server.kill('SIGKILL')
    this.#server = await spawnServer(this.#settings)
  }

  /** The code it ends with, once it is asked to. */
  async stop(): Promise<number | null> {
    await this.#server.kill('SIGTERM')
    return this.#server.process.exitCode
  }

  async kill(): Promise<void> {
    await this.#server.kill('SIGKILL')
  }
}
