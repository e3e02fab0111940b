import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Config } from './config.ts'
import { type AgentFields, Agents } from './domain/agents.ts'
import { Datasources } from './domain/datasources.ts'
import { type DatastoreFields, Datastores } from './domain/datastores.ts'
import { Ingestion } from './domain/ingestion.ts'
import { Keys, type StoredKey } from './domain/keys.ts'
import { Retrieval } from './domain/retrieval.ts'
import { HashingEmbedder } from './embeddings/hashing-embedder.ts'
import { agentHandlers } from './handlers/agents.ts'
import { datasourceHandlers } from './handlers/datasources.ts'
import { datastoreHandlers } from './handlers/datastores.ts'
import { healthHandlers } from './handlers/health.ts'
import { createApp, type ReportError } from './http/app.ts'
import { openContract } from './http/contract.ts'
import { Database } from './store/database.ts'
import { checkFormat } from './store/format.ts'
import { Fragments } from './store/fragments.ts'
import { Records } from './store/records.ts'

/** Everything but the port. */
export type Service = {
  app: RequestListener
  /** The key made at the first start; it is nowhere else. */
  firstKey: string | undefined
  /** Finishes the writes that were begun and lets go of the store. */
  close(): Promise<void>
}

/**
 * Builds the service from its parts.
 * @throws StartupError when the store cannot be used
 */
export async function openService(
  config: Pick<Config, 'dataUri' | 'initialKey'>,
  reportError: ReportError,
): Promise<Service> {
  const database = await Database.open(config.dataUri)
  try {
    await checkFormat(database)
    const agentRecords = await Records.open<AgentFields>(database, 'agents')
    const datastoreRecords = await Records.open<DatastoreFields>(database, 'datastores')
    const keyRecords = await Records.open<StoredKey>(database, 'keys')
    const fragments = new Fragments(database)
    const embedder = new HashingEmbedder()

    const keys = new Keys(keyRecords)
    const datastores = new Datastores(datastoreRecords, fragments, embedder)
    const handlers = {
      ...agentHandlers(new Agents(agentRecords)),
      ...datastoreHandlers(
        datastores,
        new Ingestion(datastores, fragments, embedder),
        new Retrieval(datastores, fragments, embedder),
      ),
      ...datasourceHandlers(new Datasources(datastores, fragments)),
      ...healthHandlers(() => keyRecords.isEmpty()),
    }
    if (database.exclusive) await datastores.dropOrphans()
    const contract = await openContract(await readContract(), handlers, keys)
    return {
      app: createApp(contract, reportError),
      firstKey: await keys.ensureFirst(config.initialKey),
      close: async () => {
        const writers = [fragments, keyRecords, datastoreRecords, agentRecords]
        await Promise.all(writers.map((writer) => writer.idle()))
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

async function readContract() {
  return parse(await readFile(join(import.meta.dirname, '../openapi.yaml'), 'utf8'))
}
