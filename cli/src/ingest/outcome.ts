/** What became of a file, or of the document of one that is gone. */
export type Outcome = {
  kind: 'new' | 'changed' | 'unchanged' | 'deleted' | 'ignored' | 'failed'
  /** The path of the file, or the key of what was deleted. */
  of: string
  /** Why, where it was ignored or failed. */
  reason?: string
  /** Whether the file exists and could not be read. */
  isUnread?: true
}
