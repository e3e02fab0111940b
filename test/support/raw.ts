import { checkAnswer } from './contract-fetch.ts'
import { testKey } from './server.ts'

/** A request as no generated client would send it; its answer is checked against the contract. */
export async function send(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${testKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body as BodyInit }),
  })
  await checkAnswer(method, path.split('?')[0] ?? '', response.clone())
  return response
}

/** The places a 400 names. */
export async function placesOf(response: Response): Promise<string[]> {
  const { errors = [] } = (await response.json()) as { errors?: { pointer: string }[] }
  return errors.map(({ pointer }) => pointer)
}
