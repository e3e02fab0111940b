import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Config, ProviderConfig } from './config.ts'
import { type AgentFields, Agents, isAgent } from './domain/agents.ts'
import { DatasourcePatches } from './domain/datasource-patches.ts'
import { Datasources } from './domain/datasources.ts'
import { type DatastoreFields, Datastores, isDatastore } from './domain/datastores.ts'
import { Ingestion } from './domain/ingestion.ts'
import { KeyedDocuments } from './domain/keyed-documents.ts'
import { isKey, type KeyFields, Keys } from './domain/keys.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { StartupError, Unavailable } from './errors.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { HashingEmbedder } from './embeddings/hashing-embedder.ts'
import type { Doubt } from './embeddings/provider-doubt.ts'
import { agentHandlers } from './handlers/agents.ts'
import { datasourceHandlers } from './handlers/datasources.ts'
import { datastoreHandlers } from './handlers/datastores.ts'
import { documentHandlers } from './handlers/documents.ts'
import type { Handlers } from './handlers/handler.ts'
import { healthHandlers } from './handlers/health.ts'
import { keyHandlers } from './handlers/keys.ts'
import { createApp } from './http/app.ts'
import { createPages } from './http/pages/pages.ts'
import { openContract } from './http/contract/contract.ts'
import type { Log } from './process/log.ts'
import { Database } from './store/database.ts'
import { FormatMark } from './store/checks/format.ts'
import { Fragments } from './store/fragments/fragments.ts'
import { Records } from './store/records/records.ts'
import { checkTables, tablesOf, tellStrays, withoutKeys } from './store/checks/start-checks.ts'
import { upgradeStore } from './upgrade/upgrade.ts'

export type ServiceConfig = Pick<
  Config,
  'dataUri' | 'durability' | 'requestTimeout' | 'provider'
> & {
  corsOrigins?: Config['corsOrigins']
  /** A key that may do everything, for as long as this process runs. A secret. */
  operatorKey?: string
  initialKey?: string | undefined
}

export type Service = {
  app: RequestListener
  keys: Keys
  /** Calls the embedding provider, if any, and logs what is wrong with it. */
  checkProvider(): Promise<void>
  /** Finishes the writes that were begun, and closes the store. */
  close(): Promise<void>
}

/** Builds the service from its parts. It opens no port. @throws StartupError when the store cannot be used */
export async function openService(config: ServiceConfig, log: Log): Promise<Service> {
  const database = await Database.open(config, log)
  try {
    const { mark, records } = await openRecords(database, config, log)
    const fragments = new Fragments(database)
    const { embedder, check } = await openEmbedder(config.provider)

    const keys = new Keys(records.keys, config.operatorKey)
    const datastores = new Datastores(records.datastores, fragments, embedder)
    const ingestion = new Ingestion(fragments, embedder)
    const retrieval = new Retrieval(fragments, embedder)
    const handlers = {
      ...agentHandlers(new Agents(records.agents)),
      ...datastoreHandlers(datastores, ingestion, retrieval),
      ...datasourceHandlers(
        datastores,
        new Datasources(fragments),
        new DatasourcePatches(fragments, embedder),
      ),
      ...documentHandlers(datastores, new KeyedDocuments(fragments, embedder)),
      ...keyHandlers(keys),
      ...healthHandlers(() => checkReady(database, records)),
    }
    // Where a table lost writes, what a crash left half done stays until somebody has looked.
    if (database.exclusive && !database.hasGoneBack) await datastores.recover()
    await upgradeStore({ database, mark, records: records.datastores, fragments }, log)
    if (database.exclusive) await tellStrays(database, await records.datastores.ids(), log)
    await database.noteVersions()
    return {
      app: await openApp(config, handlers, keys, log),
      keys,
      checkProvider: async () => {
        const doubt = await check()
        if (doubt) log.warn({ reason: doubt.reason }, doubt.message)
      },
      close: () => closeWhenIdle(database, [fragments, ...Object.values(records)]),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

type AllRecords = {
  agents: Records<AgentFields>
  datastores: Records<DatastoreFields>
  keys: Records<KeyFields>
}

/** @throws StartupError where a table is damaged, or missing without leave */
async function openRecords(
  database: Database,
  { initialKey, operatorKey }: ServiceConfig,
  log: Log,
): Promise<{ mark: FormatMark; records: AllRecords }> {
  const { hasData } = await tablesOf(database)
  const mayBeginKeys = (initialKey ?? operatorKey) !== undefined
  await checkTables(database, mayBeginKeys, log)
  const mark = await FormatMark.open(database)
  const agents = await openAgents(database, log)
  const datastores = await Records.open(database, 'datastores', isDatastore)
  const keys = await Records.open(database, 'keys', isKey)
  if (hasData && !mayBeginKeys && (await keys.isEmpty())) {
    throw new StartupError(withoutKeys(database))
  }
  return { mark, records: { agents, datastores, keys } }
}

/** Where the agents are damaged, documents are served all the same. */
async function openAgents(database: Database, log: Log): Promise<Records<AgentFields>> {
  try {
    return await Records.open(database, 'agents', isAgent)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    log.error({ table: 'agents' }, `${error.message} Until then agents are answered 503.`)
    return Records.closed(
      new Unavailable('The agents cannot be read; the log of the server says why.'),
    )
  }
}

type CheckedEmbedder = { embedder: Embedder; check: () => Promise<Doubt | undefined> }

/** The library that speaks to providers is only loaded where there is one. */
async function openEmbedder(provider: ProviderConfig | undefined): Promise<CheckedEmbedder> {
  if (!provider) return { embedder: new HashingEmbedder(), check: async () => undefined }
  const { OpenAiEmbedder } = await import('./embeddings/openai-embedder.ts')
  const { doubtOf } = await import('./embeddings/provider-doubt.ts')
  const embedder = new OpenAiEmbedder(provider)
  return { embedder, check: () => doubtOf(embedder) }
}

async function checkReady(database: Database, { keys }: AllRecords): Promise<void> {
  await database.checkWritable()
  await keys.isEmpty()
}

async function openApp(
  { requestTimeout, corsOrigins = [] }: ServiceConfig,
  handlers: Handlers,
  keys: Keys,
  log: Log,
): Promise<RequestListener> {
  const text = await readFile(join(import.meta.dirname, '../openapi.yaml'), 'utf8')
  const pages = createPages(parse(text))
  const contract = await openContract({ document: parse(text), handlers, keys, requestTimeout })
  return createApp({ contract, pages, corsOrigins, log })
}

async function closeWhenIdle(
  database: Database,
  writers: { idle(): Promise<void> }[],
): Promise<void> {
  await Promise.all(writers.map((writer) => writer.idle()))
  await database.stopNoting()
  database.close()
}
