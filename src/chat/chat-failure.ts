import { ChatFailed, ChatTimeout } from '../errors.ts'
import { CallFailed } from '../provider/failure.ts'

export function toChatError(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error
  const { kind, message, retryAfter, reason } = error
  const detail = `The chat provider ${message}.`
  const options = { cause: error, retryAfter, reason }
  return kind === 'late' ? new ChatTimeout(detail) : new ChatFailed(detail, options)
}
