import { EmbeddingFailed } from '../errors.ts'

/** Ten times what the longest embeddings of a call take. */
const maxBytes = 32 * 1024 * 1024

/**
 * `fetch` for a provider. Its headers are these and no others, whatever the environment says; it goes
 * to the provider's address and follows no redirect; an answer past 32 MiB is broken off.
 */
export function createProviderFetch(apiKey: string | undefined): typeof fetch {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    return response.body ? new Response(response.body.pipeThrough(limit()), response) : response
  }
}

function limit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes <= maxBytes) controller.enqueue(piece)
      else controller.error(new EmbeddingFailed('The embedding provider gave too long an answer.'))
    },
  })
}
