import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Pool } from 'undici'
import type { Answer, Wire } from './wire.ts'

/** Sends requests as they are: no path is tidied up, no answer unpacked by itself. */
export class Sender {
  readonly #pool: Pool

  constructor(url: string, connections: number) {
    const timeout = 90_000
    this.#pool = new Pool(url, { connections, headersTimeout: timeout, bodyTimeout: timeout })
  }

  /** @throws where the connection ends before an answer */
  async send({ method, target, headers, body }: Wire): Promise<Answer> {
    const {
      statusCode,
      headers: fields,
      body: stream,
    } = await this.#pool.request({
      method,
      path: target,
      headers: headers.flat(),
      ...(body && { body }),
    })
    const bytes = Buffer.from(await stream.arrayBuffer())
    const answered = new Headers()
    for (const [name, value] of Object.entries(fields))
      answered.set(name, [value].flat().join(', '))
    const text = unpacked(bytes, answered.get('content-encoding')).toString()
    return { status: statusCode, headers: answered, text }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

function unpacked(bytes: Buffer, encoding: string | null): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}
