import { ConnectionError, ProblemError } from '../../../client/src/index.ts'

type Props = {
  error: unknown
  /** Does the same once more. It is not offered for a key that may not. */
  again?: () => void
}

/** Describes an error in words, with a link to more about it. */
export function Failure({ error, again }: Props) {
  if (error === undefined) return null
  const isOfKey = error instanceof ProblemError && keyCodes.has(error.code)
  return (
    <div class="failure" role="alert">
      <p>{wordsOf(error)}</p>
      {error instanceof ProblemError && (
        <p class="quiet">
          <a href={`problems#${error.code}`}>{error.code}</a> · request {error.requestId}
        </p>
      )}
      {again && !isOfKey && (
        <p>
          <button onClick={again}>Try again</button>
        </p>
      )}
    </div>
  )
}

const keyCodes = new Set(['unauthenticated', 'insufficient_scope'])

export const isGone = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'not_found'

export function wordsOf(error: unknown): string {
  if (error instanceof ProblemError) {
    if (error.code === 'unauthenticated') {
      return 'The server does not take this key: it is wrong, has expired or was revoked. Use another one.'
    }
    if (error.code === 'insufficient_scope') {
      return `${error.detail} Use another key, or have one made that may do this.`
    }
    if (error.code === 'invalid_request') return partsOf(error)
    return error.detail
  }
  if (error instanceof ConnectionError) return 'The server does not answer. Does it still run?'
  return error instanceof Error ? error.message : String(error)
}

const partsOf = ({ detail, errors }: ProblemError): string =>
  errors.map(({ pointer, detail: part }) => `${pointer.slice(1)} ${part}`).join('; ') || detail
