import type { RequestListener } from 'node:http'
import { Answering } from '../answers/answering.ts'
import type { ChatModel } from '../chat/chat-model.ts'
import { type StoreKind, storeKind } from '../config/config-values.ts'
import type { Config } from '../config/config.ts'
import { Agents } from '../domain/agents.ts'
import { Conversations } from '../domain/conversations.ts'
import { DatasourcePatches } from '../domain/datasource-patches.ts'
import { Datasources } from '../domain/datasources.ts'
import { Datastores } from '../domain/datastores.ts'
import { warnOfForeignLengths, warnOfForeignVectors } from '../domain/embedding.ts'
import { erasure, recoveryOf, retention } from '../domain/cleanup-jobs.ts'
import { Ingestion } from '../domain/ingestion.ts'
import { KeyedDocuments } from '../domain/keyed-documents.ts'
import { Keys } from '../domain/keys.ts'
import { Knowledges } from '../domain/knowledge.ts'
import { LabelBudget } from '../domain/label-budget.ts'
import { settledIn } from '../domain/pending.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { Files } from '../files/files.ts'
import { agentHandlers } from '../handlers/agents.ts'
import { answerHandlers } from '../handlers/answers.ts'
import { conversationHandlers } from '../handlers/conversations.ts'
import { datasourceHandlers } from '../handlers/datasources.ts'
import { datastoreHandlers } from '../handlers/datastores.ts'
import { documentHandlers } from '../handlers/documents.ts'
import { fileHandlers } from '../handlers/files.ts'
import { healthHandlers } from '../handlers/health.ts'
import { keyHandlers } from '../handlers/keys.ts'
import type { Log } from '../process/log.ts'
import { Metrics } from '../process/metrics.ts'
import { Retrieval } from '../retrieval/retrieval.ts'
import { Database, Fragments, Note, reportStrays, UpkeepLeases } from '../store/store.ts'
import { openApp } from './open-app.ts'
import { openChatModel, openEmbedder } from './open-models.ts'
import { openTables, type OpenTables } from './open-tables.ts'
import { upgradeStore } from './upgrade.ts'

type ServiceConfig = Partial<Config> &
  Pick<Config, RequiredSetting> & {
    /** A key that may do everything, for as long as this process runs. A secret. */
    operatorKey?: string
  }

type RequiredSetting = 'dataUri' | 'durability' | 'requestTimeout' | 'provider'

export type Service = {
  app: RequestListener
  keys: Keys
  metrics: Metrics
  /** Calls each provider that is set, and logs what is wrong with it. */
  checkProvider(): Promise<void>
  close(): Promise<void>
}

/** Builds the service from its parts. It opens no port. @throws StartupError when the store cannot be used */
export async function openService(config: ServiceConfig, log: Log): Promise<Service> {
  const database = await Database.open(config, log)
  try {
    return await openOn(database, config, log)
  } catch (error) {
    database.close()
    throw error
  }
}

async function openOn(database: Database, config: ServiceConfig, log: Log): Promise<Service> {
  const mayBeginKeys = (config.initialKey ?? config.operatorKey) !== undefined
  await database.checkShared(config)
  const tables = await openTables(database, mayBeginKeys, log)
  database.checkSound()
  const { storeFormat, records, messages } = tables
  const leases = database.exclusive ? undefined : await UpkeepLeases.open(database)
  const fragments = new Fragments(database)
  const { embedder, check } = await openEmbedder(config.provider)
  const { chat, check: checkChat } = await openChatModel(config.chat)
  const domain = createDomain(config, { ...tables, fragments, embedder, chat })
  const { agents, datastores, files, keys } = domain
  if (!database.exclusive) fragments.setDeletedCheck((id) => datastores.isDeleted(id))
  // If a table lost writes, changes that a crash left half done stay for somebody to look at.
  if (database.exclusive && !database.hasGoneBack) {
    await datastores.recover()
    await agents.recover().catch((err) => log.error({ err }, 'deleted agents are still there'))
  }
  await upgradeStore({ database, storeFormat, records: records.datastores, fragments }, log)
  await warnOfForeignVectors(embedder, records.datastores, log)
  if (database.exclusive) await reportStrays(database, await records.datastores.ids(), log)
  const recoveries = database.exclusive ? [] : [datastores, agents].map(recoveryOf)
  const cleanupJobs = createCleanupJobs(config, { ...tables, fragments, recoveries }, log)
  for (const job of cleanupJobs) job.start()
  await database.noteVersions()
  await database.volume.fillReserve()
  const metrics = new Metrics(config.serverName)
  const ready = async () => {
    await database.volume.checkWritable()
    await records.keys.isEmpty()
    return storeKind(config.dataUri)
  }
  const handlers = createHandlers(domain, metrics, ready)
  return {
    app: await openApp(config, handlers, { keys, datastores, metrics }, log),
    keys,
    metrics,
    checkProvider: async () => {
      const isLengthKnown = embedder.dimensions !== undefined
      const warnings = await Promise.all([check(), checkChat()])
      for (const { message, reason } of warnings.flat()) log.warn({ reason }, message)
      if (!isLengthKnown) await warnOfForeignLengths(embedder, records.datastores, log)
    },
    close: async () => {
      files.close()
      const writers = [fragments, messages, storeFormat.records, ...Object.values(records)]
      await closeWhenIdle(database, [...cleanupJobs, ...writers], leases)
    },
  }
}

type CleanupParts = OpenTables & {
  fragments: Fragments
  recoveries: ReturnType<typeof recoveryOf>[]
}

/** Jobs that delete expired conversations, and take deleted data off the disk. */
function createCleanupJobs(
  { conversationDays = 90, eraseHours = 24 }: ServiceConfig,
  { storeFormat, records, messages, fragments, recoveries }: CleanupParts,
  log: Log,
) {
  const erasable = async () => [
    ...recoveries,
    messages,
    storeFormat.records,
    ...Object.values(records),
    ...(await settledIn(records.datastores)).map(({ id }) => ({
      erase: () => fragments.erase(id),
    })),
  ]
  return [
    retention(messages, new Note(storeFormat.records, 'retention'), conversationDays, log),
    erasure(erasable, new Note(storeFormat.records, 'erasure'), eraseHours, log),
  ]
}

type Parts = Omit<OpenTables, 'storeFormat'> & {
  fragments: Fragments
  embedder: Embedder
  chat: ChatModel | undefined
}

function createDomain(config: ServiceConfig, { records, messages, ...parts }: Parts) {
  const { fragments, embedder, chat } = parts
  const datastores = new Datastores(records.datastores, fragments, embedder)
  const knowledges = new Knowledges(records.knowledge, datastores)
  const agents = new Agents(records.agents, knowledges, messages)
  const conversations = new Conversations(messages, agents)
  const retrieval = new Retrieval(fragments, embedder)
  const writing = { fragments, embedder, labels: new LabelBudget() }
  return {
    agents,
    answering: new Answering(knowledges, conversations, retrieval, chat),
    conversations,
    datasources: new Datasources(fragments),
    datastores,
    documents: new KeyedDocuments(writing),
    files: new Files(),
    ingestion: new Ingestion(writing),
    keys: new Keys(records.keys, config.operatorKey),
    knowledges,
    patches: new DatasourcePatches(writing),
    retrieval,
  }
}

const createHandlers = (
  domain: ReturnType<typeof createDomain>,
  metrics: Metrics,
  ready: () => Promise<StoreKind>,
) => ({
  ...agentHandlers(domain.agents),
  ...answerHandlers(domain.agents, domain.knowledges, domain.answering),
  ...conversationHandlers(domain.conversations),
  ...datastoreHandlers(domain.datastores, domain.ingestion, domain.retrieval),
  ...datasourceHandlers(domain.datastores, domain.datasources, domain.patches),
  ...documentHandlers(domain.datastores, domain.documents),
  ...fileHandlers(domain.datastores, domain.documents, domain.files),
  ...keyHandlers(domain.keys),
  ...healthHandlers(ready, metrics),
})

async function closeWhenIdle(
  database: Database,
  writers: { idle(): Promise<void> }[],
  leases: UpkeepLeases | undefined,
): Promise<void> {
  await Promise.all(writers.map((writer) => writer.idle()))
  await leases?.idle()
  await database.stopNoting()
  database.close()
}
