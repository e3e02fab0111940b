import {
  type Data,
  DataType,
  type FixedSizeList,
  type Float32,
  type List,
  type RecordBatch,
  type Schema,
  type Table,
  type Utf8,
} from 'apache-arrow'
import { TimeSlice } from '../../process/time-slice.ts'

// Arrow's own readers drop a leading byte order mark, read vectors slowly, and hold memory for long.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The rows of a search that finds at most `max`, without waiting for its end. */
export async function readUpTo<Row>(
  max: number,
  search: AsyncIterable<RecordBatch>,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of search) {
    rows.push(...readRows<Row>(batch))
    if (rows.length >= max) break
  }
  return rows
}

/** The rows as objects; vectors are views. */
export function readRows<Row>(table: Table | RecordBatch): Row[] {
  return batchesOf(table).flatMap(({ schema, numRows, data }) =>
    rowsOf<Row>(schema, data.children.map(valuesOf), 0, numRows),
  )
}

const rowsPerStep = 512

/** The same for any number of rows, which one turn of the event loop may be too short for. */
export async function readManyRows<Row>(table: Table): Promise<Row[]> {
  const slice = new TimeSlice()
  const rows: Row[][] = []
  for (const { schema, numRows, data } of table.batches) {
    const columns: Column[] = []
    for (const child of data.children) {
      columns.push(valuesOf(child))
      await slice.pause()
    }
    for (let start = 0; start < numRows; start += rowsPerStep) {
      rows.push(rowsOf(schema, columns, start, Math.min(numRows, start + rowsPerStep)))
      await slice.pause()
    }
  }
  return rows.flat()
}

type Column = ArrayLike<unknown>

function rowsOf<Row>({ fields }: Schema, columns: Column[], start: number, end: number): Row[] {
  const rowAt = (row: number) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]![row]])) as Row
  return Array.from({ length: end - start }, (_, index) => rowAt(start + index))
}

export function readUtf8(table: Table | RecordBatch, column: string): Uint8Array[] {
  const index = table.schema.fields.findIndex(({ name }) => name === column)
  return batchesOf(table).flatMap(({ data }) => {
    const strings = data.children[index] as Data<Utf8>
    return Array.from({ length: strings.length }, (_, row) => bytesAt(strings, row))
  })
}

const batchesOf = (table: Table | RecordBatch): RecordBatch[] =>
  'batches' in table ? table.batches : [table]

function valuesOf(data: Data): Column {
  if (DataType.isUtf8(data.type)) return stringsOf(data as Data<Utf8>)
  if (DataType.isList(data.type)) return stringListsOf(data as Data<List<Utf8>>)
  if (DataType.isFixedSizeList(data.type)) return vectorViews(data as Data<FixedSizeList<Float32>>)
  return data.values
}

const stringsOf = (data: Data<Utf8>): (string | null)[] =>
  Array.from({ length: data.length }, (_, row) =>
    data.getValid(row) ? decoder.decode(bytesAt(data, row)) : null,
  )

const bytesAt = ({ values, valueOffsets }: Data<Utf8>, row: number): Uint8Array =>
  values.subarray(valueOffsets[row], valueOffsets[row + 1])

function stringListsOf({ length, valueOffsets, children }: Data<List<Utf8>>): (string | null)[][] {
  const strings = stringsOf(children[0] as Data<Utf8>)
  return Array.from({ length }, (_, row) => strings.slice(valueOffsets[row], valueOffsets[row + 1]))
}

function vectorViews({ length, type, children }: Data<FixedSizeList<Float32>>): Float32Array[] {
  const { listSize } = type
  const { values } = children[0]!
  return Array.from({ length }, (_, row) => values.subarray(row * listSize, (row + 1) * listSize))
}
