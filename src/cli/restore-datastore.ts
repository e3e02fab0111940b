import { isDatastore } from '../domain/datastores.ts'
import type { Database } from '../store/database.ts'
import { vectorsOf } from '../store/fragments.ts'
import { Records } from '../store/records.ts'
import { UsageError } from './arguments.ts'
import { CommandFailed } from './key-desk.ts'

/** Which table is to be a datastore again; `model` where the table does not say whose vectors it has. */
export type Restore = {
  id: string
  name: string | undefined
  workspace: string | undefined
  model: string | undefined
}

/**
 * Makes the record of a datastore again whose table of fragments is there.
 * @returns what was done, in words
 * @throws CommandFailed saying what is missing
 */
export async function restoreDatastore(
  database: Database,
  { id, name = 'restored', workspace = 'default', model }: Restore,
): Promise<string> {
  if (!/^[a-z0-9-]{1,63}$/.test(workspace)) {
    throw new UsageError('A workspace is 1 to 63 of a-z, 0-9 and "-".')
  }
  const vectors = await vectorsOf(database, id)
  if (!vectors) throw new CommandFailed(`There is no table of fragments of ${id}.`)
  const embeddingModel = vectors.model ?? model ?? builtIn(vectors.dimensions)
  if (embeddingModel === undefined) {
    const said = 'The table does not say whose vectors it holds: add --embedding-model NAME.'
    throw new CommandFailed(said)
  }
  const records = await Records.open(database, 'datastores', isDatastore)
  const { dimensions } = vectors
  const made = await records.insert(id, workspace, { name, embeddingModel, dimensions })
  await records.idle()
  if (!made) throw new CommandFailed(`There is a datastore ${id}, or it is being deleted.`)
  return `${id} is a datastore of the workspace ${workspace} again, named ${JSON.stringify(name)}.`
}

/** Tables that do not say were made while this was the built-in embedder. */
const firstBuiltIn = { model: 'hashing-1', dimensions: 1024 }

const builtIn = (dimensions: number): string | undefined =>
  dimensions === firstBuiltIn.dimensions ? firstBuiltIn.model : undefined
