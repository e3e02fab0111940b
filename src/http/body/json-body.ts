import { setImmediate } from 'node:timers/promises'
import type { Violation } from '../../../generated/types.gen.ts'
import { InvalidRequest, maxViolations } from '../../errors/errors.ts'
import { faultOf } from './json-fault.ts'
import { type ByteSpan, type Excess, JsonScanner } from './json-scanner.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const surrogateEscape = /\\u[dD][89a-fA-F]/

/** In bytes. Each step of a longer body has a turn of the event loop for itself. */
const minInTurns = 1024 * 1024

/** Parses JSON, checked if it was scanned. @throws InvalidRequest */
export async function readValue(bytes: Buffer, scanner: JsonScanner | undefined): Promise<unknown> {
  const nextStep = () => (bytes.length < minInTurns ? undefined : setImmediate())
  await nextStep()
  const text = toText(bytes, scanner)
  await nextStep()
  const value = toValue(text, scanner)
  await nextStep()
  return value
}

function toText(bytes: Buffer, scanner: JsonScanner | undefined): string {
  writeInfinite(bytes, scanner?.changedNumbers ?? [])
  return decode(bytes)
}

function toValue(text: string, scanner: JsonScanner | undefined): unknown {
  const value = parse(text)
  const isSuspect = scanner && (scanner.changedNumbers.length > 0 || surrogateEscape.test(text))
  if (isSuspect) checkRepresentable(value)
  return value
}

/** Parses a part of a body. @throws InvalidRequest naming places below `pointer` */
export function readPart(text: string, pointer: string): unknown {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner()
  const excess = scanner.scan(bytes)
  try {
    if (excess) throw tooMuch(excess, bytes)
    return toValue(toText(bytes, scanner), scanner)
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    const { violations } = error
    const below = violations.map(({ pointer: at, detail }) => ({ pointer: pointer + at, detail }))
    throw new InvalidRequest(below)
  }
}

export const invalidBody = (detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '', detail }])

export function tooMuch({ path, detail }: Excess, bytes: Buffer): InvalidRequest {
  const members = path.map((step) =>
    typeof step === 'number' ? String(step) : String(parse(decode(bytes.subarray(...step)))),
  )
  const pointer = members.map((member) => `/${escapePointer(member)}`).join('')
  return new InvalidRequest([{ pointer, detail }])
}

function checkRepresentable(body: unknown): void {
  const violations = typeof body === 'object' && body !== null ? findUnrepresentable(body) : []
  if (violations.length > 0) throw new InvalidRequest(violations)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidBody(`is not JSON${placeOf(text, error)}`)
  }
}

/** In characters. A longer scan would hold up other requests. */
const maxScanned = 64 * 1024

/** Where JSON is wrong. Some of V8's errors name an offset. */
function placeOf(text: string, error: unknown): string {
  const told = /at position (\d+)/.exec(String(error))?.[1]
  if (told === undefined && text.length > maxScanned) return ''
  const before = text.slice(0, told === undefined ? faultOf(text) : Number(told))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `, from line ${line}, column ${column} on`
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidBody('is not UTF-8')
  }
}

/** Makes the numbers infinite, so that `findUnrepresentable` finds their places. */
function writeInfinite(json: Buffer, numbers: ByteSpan[]): void {
  for (const [start, end] of numbers) json.fill(' ', start, end).write('9e999', start)
}

type Place = { value: object; member: string | number; parent: Place | undefined }

function findUnrepresentable(body: object): Violation[] {
  const violations: Violation[] = []
  const waiting: Place[] = [{ value: body, member: '', parent: undefined }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    for (const [member, value] of membersOf(place.value)) {
      const detail = flawOf(member, value)
      const child = { member, parent: place }
      if (detail) violations.push({ pointer: pointerTo(child), detail })
      if (violations.length === maxViolations) return violations
      if (typeof value === 'object' && value !== null) waiting.push({ ...child, value })
    }
  }
  return violations
}

function flawOf(member: string | number, value: unknown): string | undefined {
  if (typeof member === 'string' && !member.isWellFormed()) {
    return 'has half of a surrogate pair in its name'
  }
  if (typeof value === 'string' && !value.isWellFormed()) return 'has half of a surrogate pair'
  return value === Infinity || value === -Infinity
    ? 'is a number that would not come back as it was sent'
    : undefined
}

const membersOf = (value: object): Iterable<[string | number, unknown]> =>
  Array.isArray(value) ? value.entries() : Object.entries(value)

function pointerTo({ member, parent }: Omit<Place, 'value'>): string {
  const members: string[] = []
  for (let [name, up] = [member, parent]; up; [name, up] = [up.member, up.parent]) {
    members.push(`/${escapePointer(String(name))}`)
  }
  return members.toReversed().join('')
}

const maxMemberLength = 256

export const escapePointer = (member: string): string =>
  (member.length > maxMemberLength ? `${member.slice(0, maxMemberLength)}…` : member)
    .toWellFormed()
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')

/** The values of a name that is given more than once. A list, which no schema takes. */
export class Repeated extends Array<unknown> {}

export function addValue(values: Record<string, unknown>, name: string, value: unknown): void {
  values[name] = name in values ? Repeated.of(values[name], value) : value
}
