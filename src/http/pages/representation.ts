import type { Request, Response } from 'express'
import { createHash } from 'node:crypto'
import { encodeOnce, type Encoding, encodingFor, isNotModified } from '../answer.ts'

/** A page, an asset or the document. It is cached by its tag and compressed once. */
export class Representation {
  readonly #mediaType: string
  readonly #body: Buffer
  readonly #digest: string
  readonly #encoded = new Map<Encoding, Promise<Buffer>>()

  constructor(mediaType: string, body: string | Buffer) {
    this.#mediaType = mediaType
    this.#body = Buffer.from(body)
    this.#digest = createHash('sha256').update(this.#body).digest('base64url').slice(0, 22)
  }

  /** Sends it, or 304 to a client that has it. */
  async send(request: Request, response: Response): Promise<void> {
    const encoding = encodingFor(request, this.#body)
    // Each encoding has its own strong tag (RFC 9110, 8.8.3).
    const etag = `"${this.#digest}${encoding ? `-${encoding}` : ''}"`
    response.set('ETag', etag)
    response.vary('Accept-Encoding').set('Accept-Ranges', 'none')
    if (isNotModified(request, etag)) return void response.status(304).end()
    const body = encoding ? await this.#encode(encoding) : this.#body
    response.set({ 'Content-Type': this.#mediaType, 'Content-Length': String(body.length) })
    if (encoding) response.set('Content-Encoding', encoding)
    response.end(body)
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const encoded = this.#encoded.get(encoding) ?? encodeOnce(this.#body, encoding)
    this.#encoded.set(encoding, encoded)
    return encoded
  }
}
