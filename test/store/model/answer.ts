import { isDeepStrictEqual } from 'node:util'
import { problems } from '../../../generated/problems.gen.ts'
import type { ProblemCode } from '../../../generated/types.gen.ts'

/** What the service answered. */
export type Answer = { status: number; body: unknown; headers: Headers; path: string }

/** What the model says it must answer. */
export type Expected =
  | { status: 200 | 201; body: unknown }
  | { code: ProblemCode; detail: string; pointers?: undefined }
  | { code: ProblemCode; pointers: string[] }

type Result = { data?: unknown; error?: unknown; response?: Response }

/** @throws when there was no answer, or one the contract does not allow */
export async function answerOf(call: Promise<Result>): Promise<Answer> {
  const { data, error, response } = await call
  if (!response) throw error
  const { status, headers, url } = response
  return { status, body: error ?? data, headers, path: new URL(url).pathname }
}

/** Compares all of an answer. */
export function expectAnswer(answer: Answer, expected: Expected): void {
  if (isAnswer(answer, expected)) return
  const { path, status, body } = answer
  const [is, should] = [{ status, body }, whole(answer, expected)].map(shortened)
  throw new Error(`${path} answered\n${is}\nand should have answered\n${should}`)
}

/** Long texts would hide what differs. */
const shortened = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' && member.length > 120
      ? `${member.slice(0, 40)}… (${member.length} characters)`
      : member,
  )

/** Whether it is that answer, for where there may be several. */
export function isAnswer(answer: Answer, expected: Expected): boolean {
  const { status, body } = answer
  return isDeepStrictEqual({ status, body }, whole(answer, expected))
}

export const notFound = (kind: 'agent' | 'datastore' | 'datasource' | 'key', id: string) =>
  ({ code: 'not_found', detail: `There is no ${kind} ${id}.` }) as const

export const invalid = (...pointers: string[]) => ({ code: 'invalid_request', pointers }) as const

export const ok = (body: unknown): Expected => ({ status: 200, body })

type Invalid = { detail?: string; errors?: { pointer: string; detail: string }[] }

function whole({ headers, path, body }: Answer, expected: Expected) {
  if ('body' in expected) return expected
  const { code, pointers } = expected
  const { status, title } = problems[code]
  const requestId = headers.get('x-request-id')
  const type = `/problems#${code}`
  const problem = { type, title, status, instance: path, code, requestId }
  if (!pointers) return { status, body: { ...problem, detail: expected.detail } }
  // How a fault is put into words is the contract's tests' concern; where it is, is the model's.
  const { errors = [], detail } = body as Invalid
  const [first = 'one too many'] = pointers
  const named = errors.map((error, index) => ({
    ...error,
    pointer: pointers[index] ?? 'one too many',
  }))
  const missing = pointers.slice(errors.length).map((pointer) => ({ pointer, detail: '?' }))
  const said = detail?.startsWith(`${first} `) ? detail : first
  return { status, body: { ...problem, detail: said, errors: [...named, ...missing] } }
}
