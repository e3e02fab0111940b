import { ConnectionError, ProblemError } from '../../client/src/index.ts'

/** An error's message for people: every violation of a Problem, or else its detail. */
export function messageOf(error: unknown): string {
  if (error instanceof ProblemError) return messageOfProblem(error)
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConnectionError) return error.message
  const cause = innermost(error)
  return cause === error ? error.message : `${error.message} (${cause.message})`
}

function messageOfProblem({ errors, detail: whole }: ProblemError): string {
  const places = errors.map(({ pointer }) => pointer)
  const firsts = errors.filter(({ pointer }, n) => places.indexOf(pointer) === n)
  // The whole is the first of them in a sentence.
  if (errors.length < 2 && firsts.every(({ pointer }) => optionAt(pointer) === pointer))
    return whole
  return firsts.map(({ pointer, detail }) => `${optionAt(pointer)} ${detail}.`).join(' ')
}

/** The options of members of requests, because people know the option. */
const options: Record<string, string> = {
  '/topK': '--top-k',
  '/minScore': '--min-score',
  '/filters/metadata': '--filter',
  '/query/filter': '--filter',
  '/filters/custom_ids': '--custom-id',
  '/conversationId': '--conversation',
  '/fragmentLength': '--fragment-length',
  '/temperature': '--temperature',
  '/systemPrompt': '--system-prompt',
  '/userPrompt': '--user-prompt',
  '/workspace': '--workspace',
  '/expiresAt': '--expires',
}

/** `/filters/metadata/value` → `--filter /value`; any other place as it is */
function optionAt(pointer: string): string {
  const place = Object.keys(options).find((one) => `${pointer}/`.startsWith(`${one}/`))
  if (place === undefined) return pointer
  return [options[place], pointer.slice(place.length)].join(' ').trim()
}

/** What is wrong with a file or folder, as the predicate of its path. Undefined for other errors. */
export function faultOfPath(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  return faultsOfPaths[String(error.code)]
}

const faultsOfPaths: Record<string, string | undefined> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  EISDIR: 'is a folder',
}

const innermost = (error: Error): Error =>
  error.cause instanceof Error ? innermost(error.cause) : error
