import { CommandFailed } from '../../cli/src/failures.ts'
import { defaults } from '../../generated/defaults.gen.ts'
import { isValidDatastore } from '../domain/datastores.ts'
import { builtInModel, isBuiltIn } from '../embeddings/hashing-embedder.ts'
import { type Database, vectorsOf, Records } from '../store/store.ts'

/** `model` is needed where the table does not name the embedder of its vectors. */
export type Restore = {
  id: string
  name: string | undefined
  workspace: string | undefined
  model: string | undefined
}

/** Makes the record of a datastore again from its table of fragments. @throws CommandFailed */
export async function restoreDatastore(
  database: Database,
  { id, name = 'restored', workspace = 'default', model }: Restore,
): Promise<string> {
  const vectors = await vectorsOf(database, id)
  if (!vectors) throw new CommandFailed(`There is no table of fragments of ${id}.`)
  const embeddingModel = model ?? currentName(vectors.maker?.model)
  if (embeddingModel === undefined) {
    const said = 'The table does not say whose vectors it holds: add --embedding-model NAME.'
    throw new CommandFailed(said)
  }
  const records = await Records.open(database, 'datastores', isValidDatastore)
  const { dimensions, maker } = vectors
  const fragmentLength = defaults.FragmentLength
  const prefixes = maker?.prefixes && { prefixes: maker.prefixes }
  const fields = { name, embeddingModel, ...prefixes, dimensions, fragmentLength }
  const made = await records.insert(id, workspace, fields)
  await records.idle()
  database.forgetNoted('datastores')
  if (!made) throw new CommandFailed(`There is a datastore ${id}, or it is being deleted.`)
  return `${id} is a datastore of the workspace ${workspace} again, named ${JSON.stringify(name)}.`
}

/** A table keeps the name of the embedder that it began with. */
const currentName = (model: string | undefined): string | undefined =>
  model !== undefined && isBuiltIn(model) ? builtInModel : model
