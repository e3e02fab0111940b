/** What one version changed of the files; a start brings older stores up to it. */
export type Migration = {
  number: number
  /** The new columns of fragments, with the SQL of their values in existing rows. */
  columns: AddedColumn[]
  /** Whether existing documents are analysed anew, which also fills the columns. */
  isAnalysedAnew: boolean
}

export type AddedColumn = { name: string; valueSql: string }
