import { APIConnectionError, APIError } from 'openai'

/**
 * `refused`: a status of failure. `malformed`: a malformed answer. `withheld`: an answer that the provider's filter
 * stopped. `empty`: an answer without a text. `timeout`: no answer in time. `circuit-open`: not called.
 */
type Kind =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'withheld'
  | 'empty'
  | 'timeout'
  | 'circuit-open'

type Options = ErrorOptions & {
  status?: number | undefined
  retryAfter?: number | null
  reason?: string | undefined
  refusedParameter?: string | undefined
}

/** How a call of a provider failed. The message is the predicate of "The … provider". */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly kind: Kind
  readonly status: number | undefined
  /** In seconds; null where what was sent is refused, so that a second try is in vain. */
  readonly retryAfter: number | null
  readonly reason: string | undefined
  readonly refusedParameter: string | undefined

  constructor(
    kind: Kind,
    message: string,
    { status, retryAfter = 1, reason, refusedParameter, ...options }: Options = {},
  ) {
    super(message, options)
    this.kind = kind
    this.status = status
    this.retryAfter = retryAfter
    this.reason = reason
    this.refusedParameter = refusedParameter
  }
}

export const malformed = (message: string, options?: ErrorOptions): CallFailed =>
  new CallFailed('malformed', message, options)

export const timedOut = (seconds: number): CallFailed =>
  new CallFailed('timeout', `did not answer within ${seconds} seconds`)

/** Statuses about settings and account. With others, a provider may repeat a caller's text. */
const statusesWithReason = new Set([401, 402, 403, 404, 429])

/** As of a text that is too long for the model. */
const refusals = new Set([400, 413, 422])

/** @param malformedMessage what was missing in the answer @param isProbe if no caller's text was sent */
export function toFailure(error: unknown, malformedMessage: string, isProbe: boolean): CallFailed {
  if (error instanceof CallFailed) return error
  const options = { cause: error, reason: isProbe ? reasonOf(error) : undefined }
  if (error instanceof APIConnectionError) {
    return new CallFailed('unreachable', 'could not be reached', options)
  }
  if (!(error instanceof APIError) || !error.status) {
    return new CallFailed('malformed', malformedMessage, options)
  }
  const { status, headers, param } = error
  return new CallFailed('refused', `answered ${status}`, {
    ...options,
    status,
    retryAfter: refusals.has(status) ? null : retryAfterOf(headers),
    refusedParameter: param ?? undefined,
    ...(statusesWithReason.has(status) && { reason: reasonOf(error) }),
  })
}

function reasonOf(error: unknown): string | undefined {
  const { message } = ((error instanceof APIError && error.error) || {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}

export const isTransient = (error: unknown): error is CallFailed & { retryAfter: number } =>
  error instanceof CallFailed &&
  (error.kind === 'unreachable' || error.status === 429 || (error.status ?? 0) >= 500)

/** Whether the provider is down. A refused key or model, or an answer to one caller that is empty, does not tell. */
export const isOutage = (error: unknown): boolean =>
  isTransient(error) ||
  (error instanceof CallFailed && (error.kind === 'malformed' || error.kind === 'timeout'))

/** `Retry-After`, a number or a date, in seconds. */
function retryAfterOf(headers: Headers | undefined): number {
  const value = headers?.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return seconds > 1 ? Math.min(Math.ceil(seconds), 3600) : 1
}

/** `message` names the wrong setting. `reason` is the provider's answer. */
export type ConfigWarning = { message: string; reason: string | undefined }

/** Names to use in messages: the provider and the settings for its key, address and model. */
type ProviderNames = { provider: string; key: string; address: string; model: string[] }

export function toConfigWarning(error: unknown, names: ProviderNames): ConfigWarning {
  const { message } = error as Error
  const said = error instanceof CallFailed ? `The ${names.provider} ${message}.` : message
  const reason = error instanceof CallFailed ? error.reason : undefined
  return { message: `${likelyCauseOf(error, names)} ${said}`, reason }
}

function likelyCauseOf(error: unknown, { provider, key, address, model }: ProviderNames): string {
  const unreachable = `Nobody answers at ${address} yet; what needs it fails until then.`
  if (!(error instanceof CallFailed) || ['malformed', 'withheld'].includes(error.kind)) {
    const all = `${model.join(', ')} and ${address}`
    return `The ${provider} does not do what ${all} ask of it.`
  }
  const { status = 503 } = error
  if (status === 401 || status === 403) return `The ${provider} refuses ${key}.`
  if (status === 402 || status === 429) return `The ${provider} refuses calls for now.`
  if (status >= 500) return unreachable
  return status === 400 || status === 422
    ? `The ${provider} refuses ${model.join(' or ')}.`
    : `The ${provider} does not know ${model[0]}, or nothing of the kind is at ${address}.`
}
