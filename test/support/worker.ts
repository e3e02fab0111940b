import type { Client } from '../../generated/client/index.ts'
import type { Notebook } from './notebook.ts'
import type { Random } from './random.ts'

/** What a client of the load works with. `owner` is its number: what it made it alone changes. */
export type Worker = { client: Client; notebook: Notebook; random: Random; owner: number }
