/** What became of a file, or of the document of one that is gone. */
export type Outcome = {
  kind: 'new' | 'changed' | 'unchanged' | 'deleted' | 'ignored' | 'failed'
  /** The path of the file, or the key of what was deleted. */
  of: string
  /** Why, where it was ignored or failed. */
  reason?: string
  /** Whether the file is there, and the disk does not give what it holds. */
  isUnread?: true
}
