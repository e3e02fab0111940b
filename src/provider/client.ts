import OpenAI from 'openai'

export type ProviderClient = OpenAI

/** The key is a secret; its name is that of the setting it comes from. */
type ProviderKey = { apiKey: string | undefined; keyName: string }

type ClientOptions = ProviderKey & {
  baseUrl: string
  /** Of one call, in seconds. */
  timeout: number
  /** Bounds what is read of an answer. */
  limit?: (response: Response) => Response
}

/** The library that speaks to providers. What is left out here it looks for in the environment. */
export const createClient = ({ baseUrl, timeout, limit, ...key }: ClientOptions): ProviderClient =>
  new OpenAI({
    apiKey: key.apiKey ?? 'none',
    baseURL: baseUrl,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // The signals of the callers end a call first.
    timeout: 2 * timeout * 1000,
    maxRetries: 0,
    fetch: createFetch(key, limit),
  })

const maxReasonBytes = 64 * 1024
const maxReasonCharacters = 300

/** Calls a provider without redirects, which could lead the key elsewhere. A failure's body holds the reason. */
function createFetch(
  { apiKey, keyName }: ProviderKey,
  limit: ClientOptions['limit'] = (response) => response,
): typeof fetch {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    if (response.ok) return limit(response)
    const said = await readBeginning(response)
    const error = {
      message: reasonIn(said, { apiKey, keyName }),
      param: refusedParameterIn(parseJson(said)),
    }
    return new Response(JSON.stringify({ error }), response)
  }
}

async function readBeginning({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes > maxReasonBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxReasonBytes).toString()
}

/** One bounded line for the log, without the key, which some providers repeat. */
function reasonIn(body: string, { apiKey, keyName }: ProviderKey): string {
  const message = messageIn(parseJson(body)) ?? body
  const keyless = apiKey ? message.replaceAll(apiKey, `[${keyName}]`) : message
  return keyless
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxReasonCharacters)
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return messageIn(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail, msg } = value as Record<string, unknown>
  for (const part of [error, message, detail, msg]) {
    const found = messageIn(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** OpenAI names it in `param`. Servers made with Pydantic, such as Mistral's, name its place in the body. */
function refusedParameterIn(said: unknown): string | undefined {
  if (Array.isArray(said)) return refusedParameterIn(said[0])
  if (typeof said !== 'object' || said === null) return undefined
  const { error, message, detail, param, loc } = said as Record<string, unknown>
  if (typeof param === 'string') return param
  if (Array.isArray(loc) && loc[0] === 'body' && typeof loc[1] === 'string') return loc[1]
  for (const part of [error, message, detail]) {
    const found = refusedParameterIn(part)
    if (found !== undefined) return found
  }
  return undefined
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
