import { ConnectionError, ProblemError } from './errors.ts'
import { isAnswer } from './retries.ts'

/** What is logged of one try of a request: no keys, queries or bodies. */
export type AttemptDetails = {
  method: string
  path: string
  /** Absent where no answer came. */
  status?: number
  /** Of a Problem. */
  code?: string
  requestId?: string
  milliseconds: number
  /** Milliseconds until it is sent again. */
  wait?: number
  /** Why no whole answer came. */
  reason?: string
}

type LogLine = (message: string, details: AttemptDetails) => void

/**
 * Is told of each try: `debug` that it was answered, `info` that it was refused or aborted, `warn` that it failed
 * and is sent again, `error` that it failed for good. `console` is one, and so are most loggers.
 */
export type Logger = { debug: LogLine; info: LogLine; warn: LogLine; error: LogLine }

/** Logs one try, once. */
export class AttemptLog {
  readonly #logger: Logger | undefined
  readonly #begun = performance.now()
  #request: Request | undefined
  #response: Response | undefined

  constructor(logger: Logger | undefined) {
    this.#logger = logger
  }

  /** Call with the request and the response, as soon as both are known. */
  note(request: Request | undefined, response: Response | undefined): void {
    this.#request = request
    this.#response = response
  }

  succeed(): void {
    this.#log('debug', {})
  }

  /** @param wait milliseconds until it is sent again; undefined where it is not */
  fail(error: unknown, wait: number | undefined): void {
    const level = wait === undefined ? levelOf(error) : 'warn'
    const reason = isAnswer(error) || !(error instanceof Error) ? {} : { reason: error.message }
    const code = error instanceof ProblemError ? { code: error.code } : {}
    this.#log(level, { ...code, ...reason, ...(wait !== undefined && { wait: Math.ceil(wait) }) })
  }

  #log(level: keyof Logger, more: Partial<AttemptDetails>): void {
    // Without a request nothing was sent.
    if (!this.#logger || !this.#request) return
    const { method, url } = this.#request
    const { status, headers } = this.#response ?? {}
    const requestId = headers?.get('X-Request-Id')
    const details = {
      method,
      path: new URL(url).pathname,
      ...(status !== undefined && { status }),
      milliseconds: Math.round(performance.now() - this.#begun),
      ...(requestId && { requestId }),
      ...more,
    }
    this.#logger[level](messageOf(details), details)
  }
}

/** A caller learns of a refused or aborted request by the error of its call. */
function levelOf(error: unknown): 'info' | 'error' {
  if (isAnswer(error)) return error.status >= 500 || error.status === 429 ? 'error' : 'info'
  return error instanceof ConnectionError ? 'error' : 'info'
}

function messageOf(details: AttemptDetails): string {
  const { method, path, status = 'failed', code, milliseconds, requestId, wait, reason } = details
  const words = [method, path, status, code, `in ${milliseconds} ms`, requestId && `(${requestId})`]
  const why = reason?.replace(/\.$/, '')
  const rest = [why, wait !== undefined && `It is sent again in ${wait} ms.`].filter(Boolean)
  return [words.filter((word) => word !== undefined).join(' '), ...rest].join('. ')
}
