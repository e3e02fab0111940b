import type { CreatedKey, CreateKey, Key } from '../../generated/types.gen.ts'

/** What the command line does with keys, whether a server does it or the store is opened. */
export interface KeyDesk {
  create(key: CreateKey): Promise<CreatedKey>
  list(): Promise<Key[]>
  revoke(id: string): Promise<Key>
  close(): Promise<void>
}

/** What a command failed with, in words for the one who gave it. */
export class CommandFailed extends Error {}
