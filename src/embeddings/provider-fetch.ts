import { reasonIn } from './provider-reason.ts'

/** Far more than a sentence that says why. */
const reasonBytes = 64 * 1024

/**
 * `fetch` for a provider. Its headers are these and no others, whatever the environment says; it goes
 * to the provider's address and follows no redirect. What the provider says of a failure is read as far
 * as it may hold a reason, and comes in one form.
 */
export function createProviderFetch(apiKey: string | undefined): typeof fetch {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    if (response.ok) return response
    const message = reasonIn(await beginningOf(response), apiKey)
    return new Response(JSON.stringify({ error: { message } }), response)
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes > reasonBytes) break
  }
  return Buffer.concat(pieces).subarray(0, reasonBytes).toString()
}
