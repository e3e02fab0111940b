import {
  DataType,
  Field,
  FixedSizeList,
  Float32,
  List,
  makeData,
  makeVector,
  Schema,
  Table,
  Utf8,
  util,
  type Vector,
} from 'apache-arrow'

// Arrow's builders and LanceDB copy value by value, which can hold up the event loop for seconds.

/** The values are strings or their UTF-8, lists of strings, vectors or integers, as the field says. */
export function arrowTable(columns: { field: Field; values: unknown[] }[]): Table {
  const vectors = columns.map(({ field, values }) => [field.name, toVector(field, values)])
  return new Table(new Schema(columns.map(({ field }) => field)), Object.fromEntries(vectors))
}

function toVector({ type }: Field, values: unknown[]): Vector {
  if (DataType.isUtf8(type)) return stringColumn(values as (string | Uint8Array | null)[])
  if (DataType.isList(type)) return stringListColumn(values as string[][])
  if (DataType.isFixedSizeList(type)) return vectorColumn(values as Float32Array[], type.listSize)
  return makeVector(Int32Array.from(values as number[]))
}

/** Encodes a string or list once that several rows hold. */
function stringColumn(values: (string | Uint8Array | null)[]): Vector<Utf8> {
  const present = values.map((value) => value !== null)
  const encode = encodingOnce((value: string) => Buffer.from(value))
  const encoded = values.map((value) => (value instanceof Uint8Array ? value : encode(value ?? '')))
  return makeVector(
    makeData({
      type: new Utf8(),
      length: values.length,
      nullCount: present.filter((isPresent) => !isPresent).length,
      nullBitmap: util.packBools(present),
      valueOffsets: offsetsOf(encoded),
      data: Buffer.concat(encoded),
    }),
  )
}

function stringListColumn(lists: string[][]): Vector<List<Utf8>> {
  const encoded = lists.map(encodingOnce(packed))
  return makeVector(
    makeData({
      type: new List(itemOf(new Utf8())),
      length: lists.length,
      nullCount: 0,
      valueOffsets: offsetsOf(lists),
      child: makeData({
        type: new Utf8(),
        length: lists.reduce((sum, { length }) => sum + length, 0),
        nullCount: 0,
        valueOffsets: endsOf(encoded),
        data: Buffer.concat(encoded.map(({ bytes }) => bytes)),
      }),
    }),
  )
}

/** The strings of a list in UTF-8 one after the other, and where each ends. A list may have thousands. */
type Packed = { bytes: Buffer; ends: Int32Array }

function packed(list: string[]): Packed {
  const bytes = Buffer.from(list.join(''))
  const ends = new Int32Array(list.length)
  let end = 0
  for (const [index, value] of list.entries()) {
    end += Buffer.byteLength(value)
    ends[index] = end
  }
  return { bytes, ends }
}

/** The offsets of the strings of all lists, one list behind the other. */
function endsOf(lists: Packed[]): Int32Array {
  const all = new Int32Array(1 + lists.reduce((sum, { ends }) => sum + ends.length, 0))
  let [place, before] = [1, 0]
  for (const { bytes, ends } of lists) {
    for (const end of ends) all[place++] = before + end
    before += bytes.length
  }
  return all
}

function vectorColumn(vectors: Float32Array[], dimensions: number): Vector<FixedSizeList> {
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

function offsetsOf(parts: { length: number }[]): Int32Array {
  const offsets = new Int32Array(parts.length + 1)
  parts.forEach(({ length }, index) => {
    offsets[index + 1] = offsets[index]! + length
  })
  return offsets
}

function encodingOnce<Value, Result>(make: (value: Value) => Result): (value: Value) => Result {
  const made = new Map<Value, Result>()
  return (value) => {
    const result = made.get(value) ?? make(value)
    made.set(value, result)
    return result
  }
}

/** LanceDB keeps it unique in merges, even of several processes. */
export const primaryKey = (name: string): Field =>
  new Field(name, new Utf8(), false, new Map([['lance-schema:unenforced-primary-key', 'true']]))

export const itemOf = <T extends Float32 | Utf8>(type: T): Field<T> => new Field('item', type, true)
