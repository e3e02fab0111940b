import { type Client, createClient } from '../../generated/client/index.ts'
import { type Answer, Call, type Page, PagedCall } from './call.ts'
import { attempt, type Sender, type Sent } from './attempt.ts'
import { baseUrlOf, environment, type Settings } from './settings.ts'

export type CallOptions<Data = unknown> = {
  signal?: AbortSignal | undefined
  /** Milliseconds that one try may take. */
  timeout?: number | undefined
  maxRetries?: number | undefined
} & Pick<Data, keyof Data & 'headers'>

/** When a request is repeated though an answer may have been lost: never for `refused`. */
export type Repeat = 'always' | 'Idempotency-Key' | 'If-Match' | 'refused'

/** Sends what the methods are given. */
export class Requests {
  readonly #client: Client
  readonly #settings: Required<Pick<Settings, 'timeout' | 'maxRetries'>>

  constructor(settings: Settings = {}) {
    const { apiKey = environment('API_KEY'), timeout = 70_000, maxRetries = 2 } = settings
    this.#settings = { timeout: timeout ?? 70_000, maxRetries: maxRetries ?? 2 }
    this.#client = createClient({
      baseUrl: baseUrlOf(settings),
      auth: () => apiKey,
      ...(settings.fetch && { fetch: settings.fetch }),
    })
  }

  protected send<T>(sender: Sender, repeat: Repeat, request: Sent, options?: CallOptions): Call<T> {
    return new Call(this.#answer<T>(sender, repeat, request, options))
  }

  protected sendPaged<P extends Page>(
    sender: Sender,
    repeat: Repeat,
    request: Sent,
    options?: CallOptions,
  ): PagedCall<P> {
    const next = (cursor: string) =>
      this.sendPaged<P>(
        sender,
        repeat,
        { ...request, query: { ...request.query, cursor } },
        options,
      )
    return new PagedCall(this.#answer<P>(sender, repeat, request, options), next)
  }

  async #answer<T>(
    sender: Sender,
    _repeat: Repeat,
    request: Sent,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const { timeout = this.#settings.timeout, maxRetries: _, ...rest } = options
    return attempt<T>(sender, { ...request, ...rest, client: this.#client }, timeout)
  }
}
