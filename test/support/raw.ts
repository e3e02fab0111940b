import { checkAnswer } from './contract-fetch.ts'
import { operationFor } from './contract.ts'
import { toForm } from './form.ts'
import { testKey } from './server.ts'

/**
 * A request as no generated client would send it; its answer is checked against the contract. Where an
 * operation takes a form, JSON without a type is sent as one.
 */
export async function send(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
): Promise<Response> {
  const [pathname = ''] = path.split('?')
  const { content = {} } = operationFor(method, pathname)?.requestBody ?? {}
  const [type = 'application/json'] = Object.keys(content)
  const isForm =
    type === 'multipart/form-data' && typeof body === 'string' && !('content-type' in headers)
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${testKey}`,
      ...(body !== undefined && !isForm && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? toForm(body) : (body as BodyInit) }),
  })
  await checkAnswer(method, pathname, response.clone())
  return response
}

/** The places a 400 names. */
export async function placesOf(response: Response): Promise<string[]> {
  const { errors = [] } = (await response.json()) as { errors?: { pointer: string }[] }
  return errors.map(({ pointer }) => pointer)
}
