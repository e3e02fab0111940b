/** What one version changed of the files; a start brings older stores up to it. */
export type Migration = {
  number: number
  /** The new columns of fragments, with the SQL of their values in existing rows. */
  columns: AddedColumn[]
}

export type AddedColumn = { name: string; valueSql: string }
