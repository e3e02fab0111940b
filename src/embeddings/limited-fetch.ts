import { EmbeddingFailed } from '../errors.ts'

/** Ten times what the longest embeddings of a call take. */
const maxBytes = 32 * 1024 * 1024

/** `fetch` for a provider that nobody can trust to stop: an answer past 32 MiB is broken off. */
export async function limitedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init)
  if (!response.body) return response
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > maxBytes) {
        controller.error(new EmbeddingFailed('The embedding provider gave too long an answer.'))
      } else controller.enqueue(piece)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
}
