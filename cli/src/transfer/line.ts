import type { Metadata } from '../../../client/src/index.ts'
import { ChangedNumber, exactJson } from '../exact-json.ts'

/** A document as a line of an export. */
export type Line = { key: string; name: string; metadata: Metadata; text: string }

/** One JSON object with its members in this order, so that equal documents are equal lines. */
export const lineOf = ({ key, name, metadata, text }: Line): string =>
  JSON.stringify({ key, name, metadata, text })

/** @throws Error that says what is wrong with the line */
export function readLine(line: string): Line {
  const { key, name = '', metadata = null, text, ...others } = parse(line)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new Error(`has ${JSON.stringify(unknown)}, which no document has`)
  if (typeof key !== 'string' || key === '') throw new Error('has no key')
  if (typeof text !== 'string') throw new Error('has no text')
  if (typeof name !== 'string') throw new Error('has a name that is no string')
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw new Error('has metadata that is no object')
  }
  return { key, name, metadata: metadata as Metadata, text }
}

/** What an export says first of its datastore, where a new one would not be like it. */
export type Head = { description: string; fragmentLength: number }

/** As the contract says of `createDatastore`. */
export const defaultFragmentLength = 2_000

/** Undefined where a datastore is like any new one. */
export function headOf({ description, fragmentLength }: Head): string | undefined {
  if (description === '' && fragmentLength === defaultFragmentLength) return undefined
  return JSON.stringify({ datastore: { description, fragmentLength } })
}

/** Undefined where a line is none. The service checks what it says. */
export function readHead(line: string): Partial<Head> | undefined {
  try {
    const { datastore, ...others } = parse(line) as { datastore?: unknown }
    const isHead = typeof datastore === 'object' && Object.keys(others).length === 0
    return isHead ? (datastore as Partial<Head>) : undefined
  } catch {
    return undefined
  }
}

function parse(line: string): Partial<Record<keyof Line, unknown>> {
  let value: unknown
  try {
    value = exactJson(line)
  } catch (error) {
    throw error instanceof ChangedNumber ? error : new Error('is no JSON, or is cut off')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('is no JSON object')
  return value
}
