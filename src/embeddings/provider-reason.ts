const mostCharacters = 300

/**
 * What a provider says in the body of a failure, as one line for the log: bounded, without control
 * characters, and without the key, which some repeat. Empty where it says nothing.
 */
export function reasonIn(body: string, apiKey: string | undefined): string {
  const said = saidIn(parsed(body)) ?? body
  const keyless = apiKey ? said.replaceAll(apiKey, '[OPENAI_API_KEY]') : said
  return keyless
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, mostCharacters)
}

/** OpenAI's form, Ollama's, and those of gateways and of FastAPI. */
function saidIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail, msg } = value as Record<string, unknown>
  for (const part of [error, message, Array.isArray(detail) ? detail[0] : detail, msg]) {
    const said = saidIn(part)
    if (said !== undefined) return said
  }
  return undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
