import type { Request, Response } from 'express'
import { createHash } from 'node:crypto'
import { encode, type Encoding, encodingFor } from './encoding.ts'
import { hasAlready } from './if-none-match.ts'

/** What a page, an asset or the document is at an address: it may be kept, and is compressed once. */
export class Representation {
  readonly #type: string
  readonly #body: Buffer
  readonly #digest: string
  readonly #encoded = new Map<Encoding, Promise<Buffer>>()

  constructor(type: string, body: string | Buffer) {
    this.#type = type
    this.#body = Buffer.from(body)
    this.#digest = createHash('sha256').update(this.#body).digest('base64url').slice(0, 22)
  }

  /** Answers with it, or with 304 to one who has it. */
  async send(request: Request, response: Response): Promise<void> {
    const encoding = encodingFor(request, this.#body)
    // Each encoding is another sequence of bytes, so its strong tag is another (RFC 9110, 8.8.3).
    const etag = `"${this.#digest}${encoding ? `-${encoding}` : ''}"`
    response.set('ETag', etag)
    response.vary('Accept-Encoding').set('Accept-Ranges', 'none')
    if (hasAlready(request, etag)) {
      response.status(304).end()
      return
    }
    const body = encoding ? await this.#encode(encoding) : this.#body
    response.set({ 'Content-Type': this.#type, 'Content-Length': String(body.length) })
    if (encoding) response.set('Content-Encoding', encoding)
    response.end(body)
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const encoded = this.#encoded.get(encoding) ?? encode(this.#body, encoding)
    this.#encoded.set(encoding, encoded)
    return encoded
  }
}
