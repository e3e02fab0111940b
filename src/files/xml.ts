import { type Handler, Parser } from 'htmlparser2'
import { decodeText } from './decode-text.ts'
import { broken } from './refusals.ts'

/** Reads XML; a file without it is broken. */
export function readXml(bytes: Uint8Array | undefined, handler: Partial<Handler>): void {
  const xml = bytes && decodeText(bytes)
  if (xml === undefined) throw broken()
  new Parser(handler, { xmlMode: true }).end(xml)
}
