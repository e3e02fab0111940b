/** What one version changed of what is on the disk; a start brings older stores up to it. */
export type Migration = {
  number: number
  /** Columns that tables of fragments get, with the SQL of their values in rows that are there. */
  columns: AddedColumn[]
  /** Whether documents that are there are analysed anew, which also fills the columns. */
  isAnalysedAnew: boolean
}

export type AddedColumn = { name: string; valueSql: string }
