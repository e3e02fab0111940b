import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { StartupError } from '../errors/errors.ts'

/** Each reads the value of one setting. @throws StartupError naming what is wrong */

export function readInteger(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : -1
  if (number >= min && number <= max) return number
  throw new StartupError(`${name} must be a number from ${min} to ${max}, not "${value}".`)
}

export function readChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === value)
  if (choice !== undefined) return choice
  throw new StartupError(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
}

export function readHttpUrl(name: string, value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value
  throw new StartupError(`${name} must be an http:// or https:// address, not "${value}".`)
}

export function readInitialKey(value: string | undefined): string | undefined {
  if (value === undefined || /^[A-Za-z0-9._~+/-]{32,256}=*$/.test(value)) return value
  throw new StartupError(
    'INITIAL_KEY must be 32 to 256 characters of A-Z a-z 0-9 . _ ~ + / - (and = at the end).',
  )
}

const sharedKinds = ['az', 's3', 'gs'] as const
export type StoreKind = (typeof sharedKinds)[number] | 'file'

/** The interface of an object store, or `file` for a directory. */
export const storeKind = (dataUri: string): StoreKind =>
  sharedKinds.find((kind) => dataUri.toLowerCase().startsWith(`${kind}://`)) ?? 'file'

/** The machine's name where several servers may be; undefined on a directory, which has one. */
export function readServerName(value: string, dataUri: string): string | undefined {
  if (value === '') return storeKind(dataUri) === 'file' ? undefined : hostname()
  if (/^[\w.:-]{1,253}$/.test(value)) return value
  throw new StartupError(
    `SERVER_NAME must be 1 to 253 letters, digits and . _ : -, not "${value}".`,
  )
}

export function readDataUri(value: string): string {
  if (/^~(\/|$)/.test(value)) {
    throw new StartupError(
      `DATA_URI ${value} begins with ~, which only a shell replaces. Write the whole path.`,
    )
  }
  const [, name, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(value) ?? []
  const scheme = name?.toLowerCase()
  if (scheme === undefined) return resolve(value)
  if (storeKind(`${scheme}://`) !== 'file') {
    if (rest && !rest.startsWith('/')) return value
    const place = scheme === 'az' ? 'container' : 'bucket'
    throw new StartupError(
      `DATA_URI ${value} names no ${place}: write ${scheme}://${place.toUpperCase()}/PATH.`,
    )
  }
  throw new StartupError(
    `DATA_URI must be a directory or start with az://, s3:// or gs://, not ${scheme}://.`,
  )
}

/** Up to three decimals. */
export function readSeconds(name: string, value: string, min: number, max: number): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : -1
  if (seconds >= min && seconds <= max) return seconds
  throw new StartupError(`${name} must be seconds, from ${min} to ${max}, not "${value}".`)
}

/** Each is later compared letter by letter with what a browser sends. */
export function readOrigins(value: string): string[] {
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
