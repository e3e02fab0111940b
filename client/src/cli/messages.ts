import { ProblemError, TimeoutError } from '../index.ts'

/** What went wrong, for people: of a Problem its detail and every part of the request that was wrong. */
export function messageOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const violations = error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`)
    return [error.detail, ...violations].join(' ')
  }
  if (!(error instanceof Error)) return String(error)
  const cause = innermost(error)
  return cause === error ? error.message : `${error.message} (${cause.message})`
}

const innermost = (error: Error): Error =>
  error.cause instanceof Error ? innermost(error.cause) : error

/** Whether it failed for one document alone, so that others may well be taken. */
export const isOfOne = (error: unknown): boolean =>
  error instanceof TimeoutError ||
  (error instanceof ProblemError && [400, 413, 415, 422, 500, 503, 504].includes(error.status))
