import type { Metadata } from '../../../client/src/index.ts'

/** A document as a line of an export. */
export type Line = { key: string; name: string; metadata: Metadata; text: string }

/** One JSON object; its members stand in this order, so that equal documents are equal lines. */
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

function parse(line: string): Partial<Record<keyof Line, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('is no JSON, or is cut off')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('is no JSON object')
  return value
}
