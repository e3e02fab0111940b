import type { Client } from '../../generated/client/index.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { Answer } from './call.ts'
import type { Deadline } from './deadline.ts'
import { failureOf } from './failure.ts'

/** A function of the generated client. */
export type Sender = (options: never) => Promise<Outcome>
type Outcome = { data?: unknown; error?: unknown; request?: Request; response?: Response }

/** The parts of a request. */
export type Sent = {
  path?: Record<string, string>
  query?: object | undefined
  headers?: object | undefined
  body?: unknown
  parseAs?: 'json' | 'text' | 'stream'
}

export type Answered<T> = Answer<T> & { deadline: Deadline; log: AttemptLog }

/**
 * Sends a request once.
 * @throws ProblemError, UnexpectedAnswerError, ConnectionError, TimeoutError, the reason of the caller's signal, or
 * a TypeError if the parts make no request
 */
export async function attempt<T>(
  sender: Sender,
  request: Sent & { client: Client },
  deadline: Deadline,
  log: AttemptLog,
): Promise<Answered<T>> {
  const options = { parseAs: 'json', ...request, signal: deadline.signal }
  const { data, error, request: sent, response } = await sender(options as never)
  deadline.stop()
  // There is no request, for example because a header has a line break. A retry would not help.
  if (!sent) throw error
  log.note(sent, response)
  if (!response || error !== undefined) {
    throw failureOf(error, { deadline, client: request.client, request: sent, response })
  }
  return { data: data as T, response, deadline, log }
}

/** @throws TypeError for a value that a URL would normalize away, however it is escaped */
export function checkPath(path: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(path)) {
    // Without types a caller may send undefined, and get an answer about another thing.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`${name} cannot be '${value}'.`)
    }
  }
}
