import OpenAI from 'openai'
import type { ProviderKey } from './fetch.ts'

export type ProviderClient = OpenAI

type ClientOptions = ProviderKey & {
  baseUrl: string
  /** Of one call, in seconds. */
  timeout: number
  fetch: typeof fetch
}

/** The library that speaks to providers. What is left out here it looks for in the environment. */
export const createClient = ({ apiKey, baseUrl, timeout, fetch }: ClientOptions): ProviderClient =>
  new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // The signals of the callers end a call first.
    timeout: 2 * timeout * 1000,
    maxRetries: 0,
    fetch,
  })
