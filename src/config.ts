import { resolve } from 'node:path'
import { StartupError } from './errors.ts'

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

export const clientSettings = ['SERVICE_URL', 'API_KEY'] as const

/** README says what each setting means. */
export type Config = {
  port: number
  host: string
  /** An absolute directory, or an `az://`, `s3://` or `gs://` address. */
  dataUri: string
  /** Where an acknowledged write is: on the disk, or with the operating system. */
  durability: Durability
  logLevel: LogLevel
  /** In seconds. */
  requestTimeout: number
  /** `*` alone stands for any. */
  corsOrigins: string[]
  provider: ProviderConfig | undefined
  /** The key of the first start; undefined where one is made. A secret. */
  initialKey: string | undefined
}

export type ProviderConfig = {
  model: string
  /** A secret. */
  apiKey: string | undefined
  baseUrl: string
  dimensions: number | undefined
  /** Of one call, in seconds. */
  timeout: number
}

const providerTimeout = 20

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const durabilities = ['fsync', 'os'] as const
export type Durability = (typeof durabilities)[number]

export type ClientConfig = {
  serviceUrl: string
  /** Whether `SERVICE_URL` was set. */
  isServiceNamed: boolean
  /** A secret. */
  apiKey: string | undefined
}

/** The default address is that of the server that these settings start. */
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

/** An empty variable counts as absent. @throws StartupError naming what is wrong */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    port: readInteger('PORT', env.PORT || '3000', 0, 65_535),
    host: env.HOST || '127.0.0.1',
    dataUri: readDataUri(env.DATA_URI || './data'),
    durability: readChoice('DURABILITY', env.DURABILITY || 'fsync', durabilities),
    logLevel: readChoice('LOG_LEVEL', env.LOG_LEVEL || 'info', logLevels),
    requestTimeout: readSeconds(env.REQUEST_TIMEOUT || '60'),
    corsOrigins: readOrigins(env.CORS_ORIGINS || ''),
    provider: readProvider(env),
    initialKey: readInitialKey(env.INITIAL_KEY || undefined),
  }
}

/** A key that lies about in somebody's shell must not send their text away, so EMBEDDING_MODEL alone decides. */
function readProvider(env: NodeJS.ProcessEnv): ProviderConfig | undefined {
  const model = env.EMBEDDING_MODEL
  if (!model) return undefined
  if (/^hashing-\d+$/.test(model)) {
    throw new StartupError(`EMBEDDING_MODEL ${model} is built in: leave it unset.`)
  }
  const dimensions = env.EMBEDDING_DIMENSIONS
  return {
    model,
    apiKey: env.OPENAI_API_KEY || undefined,
    baseUrl: readHttpUrl('OPENAI_BASE_URL', env.OPENAI_BASE_URL || 'https://api.openai.com/v1'),
    dimensions: dimensions ? readInteger('EMBEDDING_DIMENSIONS', dimensions, 1, 16_384) : undefined,
    timeout: providerTimeout,
  }
}

function readInteger(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : -1
  if (number >= min && number <= max) return number
  throw new StartupError(`${name} must be a number from ${min} to ${max}, not "${value}".`)
}

function readChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === value)
  if (choice !== undefined) return choice
  throw new StartupError(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
}

function readHttpUrl(name: string, value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value
  throw new StartupError(`${name} must be an http:// or https:// address, not "${value}".`)
}

function readInitialKey(value: string | undefined): string | undefined {
  if (value === undefined || /^[A-Za-z0-9._~+/-]{32,256}=*$/.test(value)) return value
  throw new StartupError(
    'INITIAL_KEY must be 32 to 256 characters of A-Z a-z 0-9 . _ ~ + / - (and = at the end).',
  )
}

function readDataUri(value: string): string {
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
  if (seconds > 0 && seconds <= 3600) return seconds
  throw new StartupError(
    `REQUEST_TIMEOUT must be seconds, above 0 and at most 3600, not "${value}".`,
  )
}

/** Each is compared letter by letter with what a browser sends. */
function readOrigins(value: string): string[] {
  const origins = value.split(',').flatMap((part) => part.trim() || [])
  if (origins.length === 1 && origins[0] === '*') return origins
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url?.origin === origin && /^https?:[^*]+$/.test(origin)) continue
    throw new StartupError(
      `CORS_ORIGINS must be origins such as https://app.example with commas between, or * alone, not "${origin}".`,
    )
  }
  return origins
}
