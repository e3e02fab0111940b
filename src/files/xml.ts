import { type Handler, Parser } from 'htmlparser2'
import { decodeText } from './decode-text.ts'
import { broken } from './refusals.ts'

type XmlHandler = Partial<Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>>

/** Reads XML; a file without it is broken. */
export function readXml(bytes: Uint8Array | undefined, handler: XmlHandler): void {
  const xml = bytes && decodeText(bytes)
  if (xml === undefined) throw broken()
  new Parser(handler, { xmlMode: true }).end(xml)
}

/** The same with names of tags that have no prefix, for which each program takes another. */
export function readPlainXml(bytes: Uint8Array | undefined, handler: XmlHandler): void {
  readXml(bytes, {
    ...handler,
    onopentag: (name, attributes, isImplied) =>
      handler.onopentag?.(withoutPrefix(name), attributes, isImplied),
    onclosetag: (name, isImplied) => handler.onclosetag?.(withoutPrefix(name), isImplied),
  })
}

export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
