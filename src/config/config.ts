import { ModelName } from '../../generated/types.gen.ts'
import {
  readChoice,
  readDataUri,
  readHttpUrl,
  readInitialKey,
  readInteger,
  readOrigins,
  readSeconds,
  readServerName,
} from './config-values.ts'
import { StartupError } from '../errors/errors.ts'

export const serverSettings = [
  'PORT',
  'HOST',
  'DATA_URI',
  'ALLOW_UNSAFE_STORE',
  'READ_FRESHNESS',
  'SERVER_NAME',
  'DURABILITY',
  'CORS_ORIGINS',
  'INITIAL_KEY',
  'EMBEDDING_MODEL',
  'EMBEDDING_DIMENSIONS',
  'EMBEDDING_QUERY_PREFIX',
  'EMBEDDING_DOCUMENT_PREFIX',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'CHAT_MODEL',
  'CHAT_MODEL_GPT_3_5_TURBO',
  'CHAT_MODEL_GPT_3_5_TURBO_16K',
  'CHAT_MODEL_GPT_4',
  'CHAT_MODEL_GPT_4_32K',
  'CHAT_BASE_URL',
  'CHAT_API_KEY',
  'CONVERSATION_DAYS',
  'ERASE_HOURS',
  'REQUEST_TIMEOUT',
  'LOG_LEVEL',
] as const

/** `docs/settings.md` says what each setting means. */
export type Config = {
  port: number
  host: string
  /** An absolute directory, or an `az://`, `s3://` or `gs://` address. */
  dataUri: string
  /** Whether one server may use an object store that ignores conditions of writes. */
  allowUnsafeStore: boolean
  /** Maximum staleness of reads from an object store, in seconds. */
  readFreshness: number
  /** Tells servers of one store apart; undefined where there is one. */
  serverName: string | undefined
  durability: Durability
  logLevel: LogLevel
  /** In seconds. */
  requestTimeout: number
  /** How long conversations are kept, in days since their last message. */
  conversationDays: number
  /** Hours until deleted data is off the disk. */
  eraseHours: number
  /** `*` alone stands for any. */
  corsOrigins: string[]
  /** The embedding provider. Undefined for the built-in embedder. */
  provider: EmbeddingConfig | undefined
  chat: ChatConfig | undefined
  /** The key of the first start; undefined where one is made. A secret. */
  initialKey: string | undefined
}

export type EmbeddingConfig = {
  model: string
  /** Replaces the known prefixes of the model. '' is none. */
  prefixes?: { query?: string; document?: string }
  apiKey: string | undefined
  baseUrl: string
  dimensions: number | undefined
  /** Of one call, in seconds. */
  timeout: number
}

const providerTimeout = 20
const defaultProvider = 'https://api.openai.com/v1'

export type ChatConfig = {
  models: Partial<Record<ModelName, string>>
  apiKey: string | undefined
  baseUrl: string
  keyName: string
  urlName: string
  /** Idle time of the provider's stream, in seconds. */
  timeout: number
}

/** A share of REQUEST_TIMEOUT, so that callers learn that they wait for the provider. */
const chatShare = 0.75

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const durabilities = ['fsync', 'os'] as const
type Durability = (typeof durabilities)[number]

/** An empty variable counts as absent, except for prefixes. @throws StartupError naming what is wrong */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const dataUri = readDataUri(env.DATA_URI || './data')
  const requestTimeout = readSeconds('REQUEST_TIMEOUT', env.REQUEST_TIMEOUT || '60', 0.001, 3600)
  return {
    port: readInteger('PORT', env.PORT || '3000', 0, 65_535),
    host: env.HOST || '127.0.0.1',
    dataUri,
    allowUnsafeStore:
      readChoice('ALLOW_UNSAFE_STORE', env.ALLOW_UNSAFE_STORE || '0', ['0', '1'] as const) === '1',
    serverName: readServerName(env.SERVER_NAME || '', dataUri),
    readFreshness: readSeconds('READ_FRESHNESS', env.READ_FRESHNESS || '0', 0, 60),
    durability: readChoice('DURABILITY', env.DURABILITY || 'fsync', durabilities),
    logLevel: readChoice('LOG_LEVEL', env.LOG_LEVEL || 'info', logLevels),
    requestTimeout,
    conversationDays: readInteger('CONVERSATION_DAYS', env.CONVERSATION_DAYS || '90', 1, 36_500),
    eraseHours: readInteger('ERASE_HOURS', env.ERASE_HOURS || '24', 1, 8_760),
    corsOrigins: readOrigins(env.CORS_ORIGINS || ''),
    provider: readEmbedding(env),
    chat: readChat(env, requestTimeout),
    initialKey: readInitialKey(env.INITIAL_KEY || undefined),
  }
}

/** EMBEDDING_MODEL alone decides, because a key in somebody's shell must not send text away. */
function readEmbedding(env: NodeJS.ProcessEnv): EmbeddingConfig | undefined {
  const model = env.EMBEDDING_MODEL
  if (!model) return undefined
  if (/^hashing-\d+$/.test(model)) {
    throw new StartupError(`EMBEDDING_MODEL ${model} is built in: leave it unset.`)
  }
  const dimensions = env.EMBEDDING_DIMENSIONS
  return {
    model,
    prefixes: readPrefixes(env),
    apiKey: env.OPENAI_API_KEY || undefined,
    baseUrl: readHttpUrl('OPENAI_BASE_URL', env.OPENAI_BASE_URL || defaultProvider),
    dimensions: dimensions ? readInteger('EMBEDDING_DIMENSIONS', dimensions, 1, 16_384) : undefined,
    timeout: providerTimeout,
  }
}

function readPrefixes(env: NodeJS.ProcessEnv): { query?: string; document?: string } {
  const query = env.EMBEDDING_QUERY_PREFIX
  const document = env.EMBEDDING_DOCUMENT_PREFIX
  return { ...(query !== undefined && { query }), ...(document !== undefined && { document }) }
}

/** The setting of the chat model for a model name. CHAT_MODEL is for names without a setting of their own. */
export const chatModelSetting = (name: ModelName) =>
  `CHAT_MODEL_${name.toUpperCase() as Uppercase<ModelName>}` as const

/** A model turns the provider on; a key alone does not. */
function readChat(env: NodeJS.ProcessEnv, requestTimeout: number): ChatConfig | undefined {
  const models = readChatModels(env)
  if (Object.keys(models).length === 0) return undefined
  const urlName = env.CHAT_BASE_URL ? 'CHAT_BASE_URL' : 'OPENAI_BASE_URL'
  const baseUrl = readHttpUrl(urlName, env[urlName] || defaultProvider)
  const keyName =
    env.CHAT_API_KEY || !isEmbeddingProvider(baseUrl, env) ? 'CHAT_API_KEY' : 'OPENAI_API_KEY'
  return {
    models,
    apiKey: env[keyName] || undefined,
    baseUrl,
    keyName,
    urlName,
    timeout: chatShare * requestTimeout,
  }
}

function readChatModels(env: NodeJS.ProcessEnv): ChatConfig['models'] {
  const models: ChatConfig['models'] = {}
  for (const name of Object.values(ModelName)) {
    const model = env[chatModelSetting(name)] || env.CHAT_MODEL
    if (model && /^extractive-\d+$/.test(model)) {
      throw new StartupError(`CHAT_MODEL ${model} is built in: leave it unset.`)
    }
    if (model) models[name] = model
  }
  return models
}

/** A key of one provider must not be sent to another. */
const isEmbeddingProvider = (baseUrl: string, env: NodeJS.ProcessEnv): boolean =>
  URL.parse(env.OPENAI_BASE_URL || defaultProvider)?.origin === new URL(baseUrl).origin
