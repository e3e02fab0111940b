import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { parse } from 'yaml'
import { openChatModel } from './chat/open-chat-model.ts'
import type { Config, ProviderConfig } from './config.ts'
import { Answering } from './answers/answering.ts'
import { AgentRemoval } from './domain/agent-removal.ts'
import { Agents, isAgent } from './domain/agents.ts'
import { Conversations } from './domain/conversations.ts'
import { Datasources } from './domain/datasources.ts'
import { Datastores, isDatastore } from './domain/datastores.ts'
import { Ingestion } from './domain/ingestion.ts'
import { isKey, Keys } from './domain/keys.ts'
import { isKnowledge, Knowledges } from './domain/knowledge.ts'
import { Retention } from './domain/retention.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { StartupError } from './errors.ts'
import type { Embedder } from './embeddings/embedder.ts'
import { HashingEmbedder } from './embeddings/hashing-embedder.ts'
import type { Doubt } from './provider/doubt.ts'
import { agentHandlers } from './handlers/agents.ts'
import { answerHandlers } from './handlers/answers.ts'
import { conversationHandlers } from './handlers/conversations.ts'
import { datasourceHandlers } from './handlers/datasources.ts'
import { datastoreHandlers } from './handlers/datastores.ts'
import { healthHandlers } from './handlers/health.ts'
import { keyHandlers } from './handlers/keys.ts'
import { openMessages, openRecords } from './service/damageable-tables.ts'
import { createApp } from './http/app.ts'
import { createPages } from './http/pages/pages.ts'
import { openContract } from './http/contract/contract.ts'
import type { Log } from './process/log.ts'
import { Database } from './store/database.ts'
import { checkFormat } from './store/checks/format.ts'
import { Fragments } from './store/fragments/fragments.ts'
import { Records } from './store/records/records.ts'
import { checkTables, tablesOf, tellStrays, withoutKeys } from './store/checks/start-checks.ts'

/** What the service is built from. */
export type ServiceConfig = Pick<
  Config,
  'dataUri' | 'durability' | 'requestTimeout' | 'provider'
> & {
  corsOrigins?: Config['corsOrigins']
  /** 90 where it is absent. */
  conversationDays?: number
  chat?: Config['chat']
  /** A key that may do everything, for as long as this process runs. A secret. */
  operatorKey?: string
  initialKey?: string | undefined
}

/** Everything but the port. */
export type Service = {
  app: RequestListener
  keys: Keys
  /** Says in the log what one call of each provider that is set shows to be wrong. */
  checkProvider(): Promise<void>
  /** Finishes the writes that were begun and lets go of the store. */
  close(): Promise<void>
}

/**
 * Builds the service from its parts.
 * @throws StartupError when the store cannot be used
 */
export async function openService(config: ServiceConfig, log: Log): Promise<Service> {
  const database = await Database.open(config, log)
  try {
    const { hasData } = await tablesOf(database)
    const mayBeginKeys = (config.initialKey ?? config.operatorKey) !== undefined
    await checkTables(database, mayBeginKeys, log)
    await checkFormat(database)
    const agentRecords = await openRecords(database, 'agents', isAgent, log)
    const knowledgeRecords = await openRecords(database, 'knowledge', isKnowledge, log)
    const messages = await openMessages(database, log)
    const datastoreRecords = await Records.open(database, 'datastores', isDatastore)
    const keyRecords = await Records.open(database, 'keys', isKey)
    if (hasData && !mayBeginKeys && (await keyRecords.isEmpty())) {
      throw new StartupError(withoutKeys(database))
    }
    const fragments = new Fragments(database)
    const { embedder, check } = await openEmbedder(config.provider)
    const { chat, check: checkChat } = await openChatModel(config.chat)

    const keys = new Keys(keyRecords, config.operatorKey)
    const datastores = new Datastores(datastoreRecords, fragments, embedder)
    const ingestion = new Ingestion(fragments, embedder)
    const retrieval = new Retrieval(fragments, embedder)
    const agents = new Agents(agentRecords)
    const knowledges = new Knowledges(knowledgeRecords, datastores)
    const removal = new AgentRemoval(agents, knowledges, messages)
    const conversations = new Conversations(messages, agents)
    const answering = new Answering(knowledges, conversations, retrieval, chat)
    const handlers = {
      ...agentHandlers(agents, removal),
      ...answerHandlers(agents, knowledges, answering),
      ...conversationHandlers(conversations),
      ...datastoreHandlers(datastores, ingestion, retrieval),
      ...datasourceHandlers(datastores, new Datasources(fragments)),
      ...keyHandlers(keys),
      ...healthHandlers(async () => {
        await database.checkWritable()
        await keyRecords.isEmpty()
      }),
    }
    // Where what is known of datastores went back, marks wait for somebody to look.
    if (database.exclusive && !database.healed) {
      await datastores.recover()
      await removal.recover().catch((err) => log.error({ err }, 'deleted agents are still there'))
    }
    if (database.exclusive) await tellStrays(database, await datastoreRecords.ids(), log)
    const retention = new Retention(messages, config.conversationDays ?? 90, log)
    retention.start()
    await database.noteVersions()
    const { requestTimeout, corsOrigins = [] } = config
    const text = await readFile(join(import.meta.dirname, '../openapi.yaml'), 'utf8')
    const pages = createPages(parse(text))
    const contract = await openContract({
      document: parse(text),
      handlers,
      keys,
      requestTimeout,
    })
    return {
      app: createApp({ contract, pages, corsOrigins, log }),
      keys,
      checkProvider: async () => {
        const doubts = await Promise.all([check(), checkChat()])
        for (const { message, reason } of doubts.flat()) log.warn({ reason }, message)
      },
      close: async () => {
        await retention.stop()
        const records = [keyRecords, datastoreRecords, agentRecords, knowledgeRecords]
        const writers = [fragments, messages, ...records]
        await Promise.all(writers.map((writer) => writer.idle()))
        await database.stopNoting()
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

type CheckedEmbedder = { embedder: Embedder; check: () => Promise<Doubt[]> }

/** The library that speaks to providers is only loaded where there is one. */
async function openEmbedder(provider: ProviderConfig | undefined): Promise<CheckedEmbedder> {
  if (!provider) return { embedder: new HashingEmbedder(), check: async () => [] }
  const { OpenAiEmbedder } = await import('./embeddings/openai-embedder.ts')
  const { checkEmbedder } = await import('./embeddings/embedder-check.ts')
  const embedder = new OpenAiEmbedder(provider)
  return { embedder, check: () => checkEmbedder(embedder) }
}
