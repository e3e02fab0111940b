import { type Client, createClient } from '../../generated/client/index.ts'
import { checkAnswer } from './contract-fetch.ts'
import { testKey } from './server.ts'

/** The server went away before it answered. */
export class Gone extends Error {}

/** A client that calls `answered` the moment an answer to a write begins to arrive. */
export const watchedClient = (url: string, answered: () => void): Client =>
  createClient({
    baseUrl: url,
    auth: () => testKey,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const response = await fetch(request)
      if (request.method !== 'GET') answered()
      await checkAnswer(request.method, new URL(request.url).pathname, response.clone())
      return response
    },
  })

/** @throws Gone where no answer came, and another error where it is a refusal */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response?: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (response?.ok && data !== undefined) return data
  if (error instanceof TypeError) throw new Gone()
  throw new Error(`Answered ${response?.status}: ${JSON.stringify(error)}`, { cause: error })
}

type Page<T> = { data: T[]; nextCursor: string | null }

/** Everything a list has. */
export async function pages<T>(
  list: (query: {
    limit: number
    cursor?: string
  }) => Promise<{ data?: Page<T>; error?: unknown; response?: Response }>,
): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await answerOf(list({ limit: 100, ...(cursor && { cursor }) }))
    all.push(...page.data)
    cursor = page.nextCursor
  }
  return all
}
