import { resolve } from 'node:path'
import { StartupError } from './errors.ts'
import { readOrigins } from './origins.ts'

/** The names of the server's settings. */
export const serverSettings = [
  'PORT',
  'HOST',
  'DATA_URI',
  'DURABILITY',
  'CORS_ORIGINS',
  'INITIAL_KEY',
  'EMBEDDING_MODEL',
  'EMBEDDING_DIMENSIONS',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'REQUEST_TIMEOUT',
  'LOG_LEVEL',
] as const

/** The names of those that only the command line reads. */
export const clientSettings = ['SERVICE_URL', 'API_KEY'] as const

/** The server's settings; the README's table says what each means. */
export type Config = {
  port: number
  host: string
  /** An absolute directory, or an `az://`, `s3://` or `gs://` address. */
  dataUri: string
  /** Whether an acknowledged write is on the disk itself, or with the operating system. */
  durability: Durability
  logLevel: LogLevel
  /** In seconds. */
  requestTimeout: number
  /** The origins whose pages may call the service; `*` alone stands for any. */
  corsOrigins: string[]
  /** The embedding provider; undefined for the built-in embedder. */
  provider: ProviderConfig | undefined
  /** The key of the first start, when it is not to be made. A secret. */
  initialKey: string | undefined
}

/** How to reach an embedding provider. `apiKey` is a secret. */
export type ProviderConfig = {
  model: string
  apiKey: string | undefined
  baseUrl: string
  /** Asked of the provider where it is set, else the provider decides. */
  dimensions: number | undefined
  /** How long a call may take, in seconds. */
  timeout: number
}

const providerTimeout = 20

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const durabilities = ['fsync', 'os'] as const
export type Durability = (typeof durabilities)[number]

/** Where the command line finds a server, and the key it shows. `apiKey` is a secret. */
export type ClientConfig = {
  serviceUrl: string
  /** Whether the address was given, so that no other will do. */
  isServiceNamed: boolean
  apiKey: string | undefined
}

/** Reads the command line's settings; without `SERVICE_URL` it is the server these settings start. */
export function readClientConfig(env: NodeJS.ProcessEnv): ClientConfig {
  const { port, host } = readConfig(env)
  const local = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ])
  const address = local.get(host) ?? host
  const ownUrl = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  return {
    serviceUrl: env.SERVICE_URL ? readHttpUrl('SERVICE_URL', env.SERVICE_URL) : ownUrl,
    isServiceNamed: Boolean(env.SERVICE_URL),
    apiKey: env.API_KEY || undefined,
  }
}

/**
 * Reads the settings from the environment; an empty variable counts as absent.
 * @throws StartupError naming the variable that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = env.PORT || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartupError(`PORT must be a number from 0 to 65535, not "${port}".`)
  }
  const initialKey = env.INITIAL_KEY || undefined
  if (initialKey !== undefined && !/^[A-Za-z0-9._~+/-]{32,256}=*$/.test(initialKey)) {
    throw new StartupError(
      'INITIAL_KEY must be 32 to 256 characters of A-Z a-z 0-9 . _ ~ + / - (and = at the end).',
    )
  }
  return {
    port: Number(port),
    host: env.HOST || '127.0.0.1',
    dataUri: readDataUri(env.DATA_URI || './data'),
    durability: readDurability(env.DURABILITY || 'fsync'),
    logLevel: readLogLevel(env.LOG_LEVEL || 'info'),
    requestTimeout: readSeconds(env.REQUEST_TIMEOUT || '60'),
    corsOrigins: readOrigins(env.CORS_ORIGINS || ''),
    provider: readProvider(env),
    initialKey,
  }
}

/**
 * Only EMBEDDING_MODEL asks for a provider: a key that lies about in somebody's shell must not send
 * their text away.
 */
function readProvider(env: NodeJS.ProcessEnv): ProviderConfig | undefined {
  const model = env.EMBEDDING_MODEL
  if (!model) return undefined
  if (/^hashing-\d+$/.test(model)) {
    throw new StartupError(`EMBEDDING_MODEL ${model} is built in: leave it unset.`)
  }
  return {
    model,
    apiKey: env.OPENAI_API_KEY || undefined,
    baseUrl: readHttpUrl('OPENAI_BASE_URL', env.OPENAI_BASE_URL || 'https://api.openai.com/v1'),
    dimensions: readDimensions(env.EMBEDDING_DIMENSIONS),
    timeout: providerTimeout,
  }
}

function readDimensions(value: string | undefined): number | undefined {
  if (!value) return undefined
  const dimensions = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (dimensions < 1 || dimensions > 16_384) {
    throw new StartupError(`EMBEDDING_DIMENSIONS must be a number from 1 to 16384, not "${value}".`)
  }
  return dimensions
}

function readHttpUrl(name: string, value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new StartupError(`${name} must be an http:// or https:// address, not "${value}".`)
  }
  return value
}

function readDataUri(value: string): string {
  // A shell has replaced it by now; a file of settings, quotes and service managers do not.
  if (/^~(\/|$)/.test(value)) {
    throw new StartupError(
      `DATA_URI ${value} begins with ~, which only a shell replaces. Write the whole path.`,
    )
  }
  const [, name, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(value) ?? []
  const scheme = name?.toLowerCase()
  if (scheme === undefined) return resolve(value)
  if (['az', 's3', 'gs'].includes(scheme)) {
    if (rest && !rest.startsWith('/')) return value
    throw new StartupError(`DATA_URI ${value} names no bucket: write ${scheme}://BUCKET/PATH.`)
  }
  throw new StartupError(
    `DATA_URI must be a directory or start with az://, s3:// or gs://, not ${scheme}://.`,
  )
}

function readSeconds(value: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : 0
  if (seconds <= 0 || seconds > 3600) {
    throw new StartupError(
      `REQUEST_TIMEOUT must be seconds, above 0 and at most 3600, not "${value}".`,
    )
  }
  return seconds
}

function readDurability(value: string): Durability {
  const durability = durabilities.find((known) => known === value)
  if (durability === undefined) {
    throw new StartupError(`DURABILITY must be one of ${durabilities.join(', ')}, not "${value}".`)
  }
  return durability
}

function readLogLevel(value: string): LogLevel {
  const level = logLevels.find((known) => known === value)
  if (level === undefined) {
    throw new StartupError(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${value}".`)
  }
  return level
}
