import { clientOf } from './client.ts'
import type { ApiCall } from './calls.tsx'

/** A call as a command for a shell, which has the key in `API_KEY`. */
export async function curlOf(made: ApiCall): Promise<string> {
  const request = await requestOf(made)
  const lines = [`curl -sS${made.isStream ? 'N' : ''} ${quoted(request.url)}`]
  if (!['GET', 'POST'].includes(request.method)) lines[0] += ` -X ${request.method}`
  lines.push('-H "Authorization: Bearer $API_KEY"')
  if (request.headers.get('Content-Type')?.startsWith('multipart/')) {
    const form = await request.formData()
    lines.push(...Array.from(form, ([name, value]) => partOf(name, value, fileOf(made))))
  } else if (request.body) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(await request.text())}`)
  }
  return lines.join(' \\\n  ')
}

/** `-F` has signs of its own, so that values go without it, and the path of a file in quotes. */
const partOf = (name: string, value: FormDataEntryValue, file?: File): string =>
  typeof value === 'string'
    ? `--form-string ${quoted(`${name}=${value}`)}`
    : `-F ${quoted(`${name}=@"${(file ?? value).name.replaceAll(/["\\]/g, '\\$&')}"`)}`

/** A form that is read again has its file's name without backslashes. */
const fileOf = ({ args }: ApiCall): File | undefined =>
  args.flatMap((one) => Object.values(Object(one))).find((one) => one instanceof File)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request that a call would send: the client makes it, and it goes nowhere. */
function requestOf({ method, args }: ApiCall): Promise<Request> {
  return new Promise((resolve, reject) => {
    const take = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      resolve(new Request(input, init))
      return Promise.reject(new DOMException('It is only looked at.', 'AbortError'))
    }
    const client = clientOf('', { fetch: take }) as unknown as Record<string, Method>
    const call = client[method]?.(...args)
    const sent = isStream(call) ? call.next() : call
    Promise.resolve(sent).catch(reject)
  })
}

type Method = (...args: unknown[]) => unknown

const isStream = (call: unknown): call is AsyncGenerator => 'next' in Object(call)
