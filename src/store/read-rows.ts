import type { Query } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { readRows } from './columns.ts'
import type { OpenTable } from './open-table.ts'

type ArrowQuery = { toArrow(): Promise<ArrowTable> }

/** The rows of one query, all of one moment. */
export const rowsOf = <Row>(
  table: OpenTable,
  build: (query: Query) => ArrowQuery,
): Promise<Row[]> => table.read((lance) => build(lance.query()).toArrow()).then(readRows<Row>)
