/** A file to ingest. */
export type FoundFile = {
  /** Where it can be read. */
  path: string
  /** Its document's key: its path below the folder, or as it was given, with `/` between. */
  key: string
  /** Its document's name: its path below the folder, or of a file that was given its own name. */
  name: string
  /** The name of the folder that was given, behind the prefix; undefined where the file itself was. */
  folder: string | undefined
  /** Tells where that folder stands, without naming it; undefined as well. */
  place: string | undefined
  /** Its path with the name of the folder. */
  source: string
}

/** What stands in the folders and files given. */
export type Found = {
  files: FoundFile[]
  /** The keys of all files that are there, those that were not chosen included. */
  keys: Set<string>
  /** Files and folders that could not be read, and why. */
  unread: { path: string; reason: string }[]
}

/** A form changes control characters, so that a name has none. */
export const toName = (path: string): string => path.replaceAll(/\p{Cc}/gu, '_')
