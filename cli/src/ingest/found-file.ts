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
  /** A hash of that folder's path; undefined as well. */
  place: string | undefined
  /** Its path with the name of the folder. */
  source: string
}

/** The content of the given folders and files. */
export type Found = {
  files: FoundFile[]
  /** The keys of all files, also of those that were not chosen. */
  keys: Set<string>
  /** Files and folders that could not be read, and why. */
  unread: { path: string; reason: string }[]
}

/** Replaces control characters, which a form would change. */
export const toName = (path: string): string => path.replaceAll(/\p{Cc}/gu, '_')
