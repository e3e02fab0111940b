import type { Logger } from './attempt-log.ts'

export type Settings = {
  /** The address of the server; else `SERVICE_URL` of the environment, else `http://127.0.0.1:3000`. */
  baseUrl?: string | URL | undefined
  /** The key; else `API_KEY` of the environment. */
  apiKey?: string | undefined
  /** Milliseconds that one try may take; of a stream, the time to each event. 70,000 if absent. */
  timeout?: number | undefined
  /** How often a request is sent again that failed for a while; 2 if absent. */
  maxRetries?: number | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** Sent with each request, such as a proxy wants; those of a call win. `Authorization` only without a key. */
  headers?: Record<string, string> | undefined
  /** Is told of each try of each request, without keys and bodies: `console`, or a logger like it. */
  logger?: Logger | undefined
}

/** Browsers have no `process`, and an empty variable counts as absent. */
export const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined

/** @throws TypeError where the address is none that a path can follow, as one without `http://` or with a query */
export function baseUrlOf({ baseUrl }: Settings): string {
  const name = baseUrl === undefined ? 'SERVICE_URL' : 'baseUrl'
  const address = String(baseUrl ?? environment('SERVICE_URL') ?? 'http://127.0.0.1:3000')
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    throw new TypeError(
      `${name} is "${address}". Write the whole address, such as http://127.0.0.1:3000: it begins with http:// or https://.`,
    )
  }
  const { username, password } = new URL(address)
  if (username || password) {
    throw new TypeError(`${name} has a user or a password in it. Leave them out, and set apiKey.`)
  }
  if (/[?#]/.test(address)) {
    throw new TypeError(`${name} has a query or a fragment. Leave out what begins with ? or #.`)
  }
  return address.replace(/\/+$/, '')
}

/** @throws TypeError for a key that no header can hold, which the error does not repeat */
export function apiKeyOf({ apiKey = environment('API_KEY') }: Settings): string | undefined {
  if (apiKey !== undefined && typeof apiKey !== 'string') {
    throw new TypeError('The API key is no text.')
  }
  const key = apiKey?.trim()
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The API key has a space, a line break or a letter in it that no key has.')
  }
  return key
}

/** @throws TypeError for a name or a value that no header can have, and for an `Authorization` beside a key */
export function headersOf(headers: object | undefined, apiKey: string | undefined): Headers {
  const made = new Headers(headers as Settings['headers'])
  // The key would replace it without a word.
  if (apiKey && made.has('Authorization')) {
    throw new TypeError(
      "headers has an Authorization, and there is a key, which is sent as one. Set apiKey instead, or to '' for no key.",
    )
  }
  return made
}
