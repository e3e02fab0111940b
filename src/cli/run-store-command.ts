import { access } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { CommandFailed } from '../../cli/src/failures.ts'
import { defaults } from '../../generated/defaults.gen.ts'
import type { Config } from '../config/config.ts'
import { isValidAgent } from '../domain/agents.ts'
import { isValidDatastore } from '../domain/datastores.ts'
import { isValidKey } from '../domain/keys.ts'
import { isValidKnowledge } from '../domain/knowledge.ts'
import { isDeleting } from '../domain/pending.ts'
import { builtInModel, isBuiltIn } from '../embeddings/hashing-embedder.ts'
import { createLog } from '../process/log.ts'
import {
  Database,
  StoreFormat,
  isFormat,
  describeFormat,
  checkStore,
  foreignColumns,
  RecordTable,
  vectorsOf,
} from '../store/store.ts'
import type { TableReport } from '../store/types.ts'
import type { Restore, StoreCommand } from './store-command.ts'

export type StoreReport = { text: string; isWhole: boolean }

/** Commands on a store that no server has open. @throws CommandFailed, StartupError */
export async function runStoreCommand(command: StoreCommand, config: Config): Promise<StoreReport> {
  const { dataUri } = config
  if (isAbsolute(dataUri)) await access(dataUri).catch(() => noStore(dataUri))
  const database = await Database.open(config, createLog('silent'))
  try {
    if (command.verb === 'check')
      return toText(await check(database), await describeFormat(database))
    if (command.verb === 'restore-format') return await restoreFormat(database)
    const storeFormat = await StoreFormat.open(database)
    const text = await restoreDatastore(database, command.restore)
    // Its table may be older than the store, and its schema may name an earlier embedder.
    await storeFormat.requireCheck()
    await database.stopNoting()
    return { text, isWhole: true }
  } finally {
    database.close()
  }
}

const noStore = (dataUri: string): never => {
  throw new CommandFailed(`There is no store at ${dataUri}: set DATA_URI.`)
}

function check(database: Database): Promise<TableReport[]> {
  const isValid = {
    store: isFormat,
    datastores: isValidDatastore,
    keys: isValidKey,
    agents: isValidAgent,
    knowledge: isValidKnowledge,
  }
  return checkStore(database, isValid, isDeleting)
}

function toText(reports: TableReport[], format: string | undefined): StoreReport {
  const lines = reports.map(({ table, rows, fault, next }) => {
    const counted = rows === undefined ? '' : `  ${rows} rows`
    return `${table}${counted}  ${fault === undefined ? 'whole' : `${fault}. ${next}`}`
  })
  const isWhole = reports.every(({ fault }) => fault === undefined)
  const sum = isWhole ? 'Everything is whole.' : 'Something is wrong; nothing was changed.'
  return { text: [...lines, ...(format ? [format] : []), sum].join('\n'), isWhole }
}

async function restoreFormat(database: Database): Promise<StoreReport> {
  for (const table of (await database.versions()).keys()) {
    if (table === 'store') continue
    const foreign = await database.inspect(table, (lance) => foreignColumns(lance, table))
    if (foreign.length > 0) {
      throw new CommandFailed(
        `The table ${table} is not of this version: it lacks ${foreign.join(', ')}. Start the version that made it.`,
      )
    }
  }
  await StoreFormat.restore(database)
  await database.stopNoting()
  return { text: 'The store has its format again.', isWhole: true }
}

/** Makes the record of a datastore again from its table of fragments. @throws CommandFailed */
async function restoreDatastore(
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
  const records = await RecordTable.open(database, 'datastores', isValidDatastore)
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
