import express, { type Request, type Response } from 'express'
import { isUtf8 } from 'node:buffer'
import type { Violation } from '../../generated/types.gen.ts'
import { InvalidRequest, ServiceError } from '../errors.ts'
import { escapePointer } from './validation.ts'

/** The most the server holds in memory for one request. */
const maxBytes = 16 * 1024 * 1024

const parseJson = express.json({
  limit: maxBytes,
  inflate: false,
  type: () => true,
  verify: (_request, _response, bytes) => {
    if (!isUtf8(bytes)) throw invalidBody('is not UTF-8')
  },
})

/**
 * The body of a request as JSON, undefined when there is none.
 * @throws ServiceError `unsupported_media_type` or `payload_too_large`; InvalidRequest when it is
 * not JSON in UTF-8 or holds what JSON cannot keep
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined
  checkMediaType(request)
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(bodyError(error)),
    )
  })
  const violations = [...unkeepable(request.body)]
  if (violations.length > 0) throw new InvalidRequest(violations)
  return request.body
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const jsonInUtf8 = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i

function checkMediaType({ headers }: Request): void {
  if (!jsonInUtf8.test(headers['content-type'] ?? '')) {
    throw unsupported('Send the body as Content-Type: application/json.')
  }
  if (![undefined, 'identity'].includes(headers['content-encoding'])) {
    throw unsupported('Send the body without Content-Encoding.')
  }
}

const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail)

const invalidBody = (detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '', detail }])

/** What the body parser failed with, as an error of ours. */
function bodyError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') {
    return new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
      cause: error,
    })
  }
  if (type === 'entity.parse.failed') return invalidBody('is not a JSON object or array')
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return invalidBody('was cut short')
  }
  return error
}

/** A value in the body and the way to it; the pointer is only made where it is needed. */
type Place = { value: unknown; member: string | number; parent: Place | undefined; depth: number }

/**
 * Every value that no schema leaves open lies in the first three levels, where the largest valid
 * body has about 2,000. Millions of them would make millions of violations to name.
 */
const shallowDepth = 3
const maxShallow = 10_000

/**
 * What would not come back as it was sent: lone surrogates, which no UTF-8 can hold, and numbers
 * past the largest double, which are read as infinite. Goes any depth without calling itself.
 */
function* unkeepable(body: unknown): Generator<Violation> {
  const waiting: Place[] = [{ value: body, member: '', parent: undefined, depth: 0 }]
  let shallow = 0
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const detail = faultOf(place)
    if (detail) yield { pointer: pointerTo(place), detail }
    const { value, depth } = place
    if (typeof value !== 'object' || value === null) continue
    if (depth < shallowDepth) shallow += sizeOf(value)
    if (shallow > maxShallow)
      return yield { pointer: pointerTo(place), detail: 'has too many values' }
    for (const [member, child] of membersOf(value)) {
      waiting.push({ value: child, member, parent: place, depth: depth + 1 })
    }
  }
}

function faultOf({ value, member }: Place): string | undefined {
  if (typeof member === 'string' && !member.isWellFormed()) {
    return 'has half of a surrogate pair in its name'
  }
  if (typeof value === 'string' && !value.isWellFormed()) return 'has half of a surrogate pair'
  return value === Infinity || value === -Infinity ? 'is too large a number' : undefined
}

const sizeOf = (value: object): number =>
  Array.isArray(value) ? value.length : Object.keys(value).length

const membersOf = (value: object): Iterable<[string | number, unknown]> =>
  Array.isArray(value) ? value.entries() : Object.entries(value)

function pointerTo({ member, parent }: Place): string {
  const members: string[] = []
  for (let [name, up] = [member, parent]; up; [name, up] = [up.member, up.parent]) {
    members.push(`/${escapePointer(String(name).toWellFormed())}`)
  }
  return members.toReversed().join('')
}
