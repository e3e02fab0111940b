import { TimeSlice } from '../../scheduling/time-slice.ts'
import { joined } from './joined.ts'

/** In characters. Shorter texts are joined, because each piece has a cost. */
const minPiece = 64 * 1024

/** JSON in UTF-8, written item by item, because a long list at once blocks the event loop. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  const slice = new TimeSlice()
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length < minPiece) continue
    pieces.push(Buffer.from(text))
    text = ''
    await slice.pause()
  }
  pieces.push(Buffer.from(text))
  return joined(pieces)
}

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* partsOfList(value)
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(value)
  else yield JSON.stringify(value)
}

function* partsOfList(items: unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    yield (index === 0 ? '' : ',') + (JSON.stringify(item) ?? 'null')
  }
  yield ']'
}

function* partsOfObject(value: object): Generator<string> {
  let separator = '{'
  for (const [member, child] of Object.entries(value)) {
    if (child === undefined) continue
    yield `${separator}${JSON.stringify(member)}:`
    separator = ','
    if (Array.isArray(child)) yield* partsOfList(child)
    else yield JSON.stringify(child)
  }
  yield separator === '{' ? '{}' : '}'
}
