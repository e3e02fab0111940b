import {
  type Data,
  FixedSizeList,
  Float32,
  List,
  makeData,
  makeVector,
  Utf8,
  util,
  type Vector,
} from 'apache-arrow'
import { itemOf } from './schema.ts'

/**
 * Columns written without Arrow's own builders, which encode a document's name and ids again for each
 * of its fragments: that can hold the event loop for seconds.
 */

/** The bytes of some strings one after the other, and the length of each. */
type Encoded = { bytes: Uint8Array; lengths: Int32Array }

/** A column of strings; one that stands in several rows is encoded once. */
export function stringColumn(values: (string | null)[]): Vector<Utf8> {
  const encode = remembering((value: string) => encodeAll([value]))
  const present = values.map((value) => value !== null)
  return makeVector(
    stringData(
      values.map((value) => encode(value ?? '')),
      present,
    ),
  )
}

/** A column of strings that are encoded already. */
export function utf8Column(values: Uint8Array[]): Vector<Utf8> {
  const lengths = Int32Array.from(values, (bytes) => bytes.length)
  const bytes = Buffer.concat(values)
  return makeVector(
    makeData({
      type: new Utf8(),
      length: values.length,
      valueOffsets: offsetsOf(lengths),
      data: bytes,
    }),
  )
}

/** A column of string lists; one that stands in several rows is encoded once. */
export function stringListColumn(lists: string[][]): Vector<List<Utf8>> {
  return makeVector(
    makeData({
      type: new List(itemOf(new Utf8())),
      length: lists.length,
      nullCount: 0,
      valueOffsets: offsetsOf(Int32Array.from(lists, (list) => list.length)),
      child: stringData(lists.map(remembering(encodeAll))),
    }),
  )
}

/**
 * A column of vectors, as one flat array: LanceDB's own way from `number[]` holds the event loop
 * eight times as long.
 */
export function vectorColumn(vectors: Float32Array[], dimensions: number): Vector<FixedSizeList> {
  const flat = new Float32Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => flat.set(vector, row * dimensions))
  return makeVector(
    makeData({
      type: new FixedSizeList(dimensions, itemOf(new Float32())),
      length: vectors.length,
      nullCount: 0,
      child: makeData({ type: new Float32(), data: flat }),
    }),
  )
}

function stringData(parts: Encoded[], present?: boolean[]): Data<Utf8> {
  const lengths = joinLengths(parts.map((part) => part.lengths))
  return makeData({
    type: new Utf8(),
    length: lengths.length,
    nullCount: present ? present.filter((value) => !value).length : 0,
    nullBitmap: present ? util.packBools(present) : null,
    valueOffsets: offsetsOf(lengths),
    data: Buffer.concat(parts.map((part) => part.bytes)),
  })
}

function encodeAll(strings: string[]): Encoded {
  const encoded = strings.map((string) => Buffer.from(string))
  return {
    bytes: Buffer.concat(encoded),
    lengths: Int32Array.from(encoded, (bytes) => bytes.length),
  }
}

function joinLengths(parts: Int32Array[]): Int32Array {
  const joined = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let start = 0
  for (const part of parts) {
    joined.set(part, start)
    start += part.length
  }
  return joined
}

/** Where each of these lengths starts, and where the last one ends. */
function offsetsOf(lengths: Int32Array): Int32Array {
  const offsets = new Int32Array(lengths.length + 1)
  let end = 0
  lengths.forEach((length, index) => {
    end += length
    offsets[index + 1] = end
  })
  return offsets
}

/** The function, called once for each value. */
function remembering<Value, Result>(make: (value: Value) => Result): (value: Value) => Result {
  const made = new Map<Value, Result>()
  return (value) => {
    const result = made.get(value) ?? make(value)
    made.set(value, result)
    return result
  }
}
