/** A document that is shown, with what is marked in it: UTF-16 offsets into its text. */
export type Opened = {
  datastoreId: string
  datasourceId: string
  marked?: { start: number; end: number; page?: number }
  /** Whether somebody asked to see it, and goes there. */
  isWanted?: boolean
  /** Whether fragments are ruled off. */
  hasRules?: boolean
}
