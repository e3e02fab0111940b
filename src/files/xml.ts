import { type Handler, Parser } from 'htmlparser2'
import { decodeText } from './decode-text.ts'
import { maxDepth } from './limits.ts'
import { broken, nestedTooDeep } from './refusals.ts'

type XmlHandler = Partial<Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>>

/** Reads XML. A file without the entry is broken. */
export function readXml(bytes: Uint8Array | undefined, handler: XmlHandler): void {
  const xml = bytes && decodeText(bytes)?.text
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

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

type NestedHandler = {
  isHidden: (name: string, attributes: Record<string, string>) => boolean
  onOpen: (name: string, attributes: Record<string, string>) => void
  onText: (text: string, parent: string) => void
  onClose: (name: string) => void
}

/** Reads the visible part. @throws ServiceError `unreadable_file` if it is nested too deep */
export function readNested(bytes: Uint8Array | undefined, handler: NestedHandler): void {
  const open: string[] = []
  let hidden = 0
  readXml(bytes, {
    onopentag: (name, attributes) => {
      if (open.push(name) > maxDepth) throw nestedTooDeep()
      if (hidden === 0 && handler.isHidden(name, attributes)) hidden = open.length
      if (hidden === 0) handler.onOpen(name, attributes)
    },
    ontext: (text) => {
      if (hidden === 0) handler.onText(text, open.at(-1) ?? '')
    },
    onclosetag: (name) => {
      if (hidden === 0) handler.onClose(name)
      if (hidden === open.length) hidden = 0
      open.pop()
    },
  })
}
