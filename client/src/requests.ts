import { type Client, createClient } from '../../generated/client/index.ts'
import { type Answered, attempt, checkPath, type Sender, type Sent } from './attempt.ts'
import { AttemptLog, type Logger } from './attempt-log.ts'
import { Call, type Page, PagedCall } from './call.ts'
import { Deadline } from './deadline.ts'
import { failureOf } from './failure.ts'
import { queryOf } from './query.ts'
import { delayAfter, pause } from './retries.ts'
import { checkSetting, checkSettings } from './setting-rules.ts'
import { apiKeyOf, baseUrlOf, headersOf, type Settings } from './settings.ts'

export type CallOptions<Data = unknown> = {
  signal?: AbortSignal | undefined
  /** Milliseconds that one try may take; of a stream, the time to each event. */
  timeout?: number | undefined
  /** How often it is sent again after a failure that may pass. */
  maxRetries?: number | undefined
} & Pick<Data, keyof Data & 'headers'>

type Options = CallOptions<{ headers?: Record<string, unknown> }>

type MakeBody = (signal: AbortSignal | undefined) => Promise<unknown>

/** `repeat` says what makes it safe to send again when an answer may have been lost: nothing, a header, or never. */
type Request = Omit<Sent, 'body'> & {
  sender: Sender
  /** Makes the body of a file, once for all tries. */
  body?: object | MakeBody
  repeat: 'always' | 'Idempotency-Key' | 'If-Match' | 'never'
}

/** Sends what the methods ask for, and sends it again where that is safe. */
export class Requests {
  readonly #client: Client
  readonly #apiKey: string | undefined
  readonly #timeout: number
  readonly #maxRetries: number
  readonly #logger: Logger | undefined

  constructor(settings: Settings = {}) {
    checkSettings(settings)
    const { timeout = 70_000, maxRetries = 2, fetch, logger } = settings
    this.#timeout = timeout
    this.#maxRetries = maxRetries
    this.#logger = logger
    this.#apiKey = apiKeyOf(settings)
    const headers = headersOf(settings.headers, this.#apiKey)
    const config = { baseUrl: baseUrlOf(settings), auth: () => this.#apiKey, headers }
    this.#client = createClient(fetch ? { ...config, fetch } : config)
  }

  protected send<T>(request: Request, options: Options = {}): Call<T> {
    return new Call(this.#answered<T>(request, options))
  }

  protected sendPaged<P extends Page>(request: Request, options: Options = {}): PagedCall<P> {
    const next = (cursor: string) =>
      this.sendPaged<P>({ ...request, query: { ...request.query, cursor } }, options)
    return new PagedCall(this.#answered<P>(request, options), next)
  }

  /** The events of an answer in a stream, as `read` finds them in its body. */
  protected async *sendStream<Event>(
    request: Request,
    read: (body: ReadableStream<Uint8Array>) => AsyncIterable<Event>,
    options: Options = {},
  ): AsyncGenerator<Event, void, undefined> {
    const answered = await this.#answered<ReadableStream<Uint8Array>>(request, options)
    const { data, deadline, log } = answered
    try {
      deadline.restart()
      for await (const event of read(data)) {
        deadline.stop()
        yield event
        deadline.restart()
      }
    } catch (error) {
      const failure = failureOf(error, { deadline, client: this.#client, hasBegun: true })
      log.fail(failure, undefined)
      throw failure
    } finally {
      deadline.stop()
    }
  }

  /** Waits before a request is sent again. */
  protected pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return pause(milliseconds, signal)
  }

  async #answered<T>({ sender, repeat, ...sent }: Request, options: Options): Promise<Answered<T>> {
    checkPath(sent.path)
    const { signal, timeout = this.#timeout, maxRetries = this.#maxRetries } = options
    checkSetting('timeout', timeout)
    checkSetting('maxRetries', maxRetries)
    headersOf(options.headers, this.#apiKey)
    const headers =
      repeat === 'Idempotency-Key' ? { [repeat]: newKey(), ...options.headers } : options.headers
    const isRepeatable = repeat === 'always' || headers?.[repeat] !== undefined
    const body = typeof sent.body === 'function' ? await sent.body(signal) : sent.body
    const request = { ...sent, query: queryOf(sent.query), body, headers, client: this.#client }
    for (let retries = 0; ; retries++) {
      const log = new AttemptLog(this.#logger)
      try {
        const answered = await attempt<T>(sender, request, new Deadline(timeout, signal), log)
        log.succeed()
        return answered
      } catch (error) {
        const delay = retries < maxRetries ? delayAfter(error, retries, isRepeatable) : undefined
        log.fail(error, delay)
        if (delay === undefined) throw error
        await this.pause(delay, signal)
      }
    }
  }
}

/** Pages that are not served over TLS have no `randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
