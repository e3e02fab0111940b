import { type Handler, Parser } from 'htmlparser2'
import { decodeText } from './decode-text.ts'
import { exponentSign } from './exponent.ts'
import { maxDepth } from './limits.ts'
import { broken, nestedTooDeep } from './refusals.ts'

export type Attributes = Record<string, string>

type XmlHandler = Partial<Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>>

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

export type NestedHandler = {
  isHidden: (name: string, attributes: Attributes) => boolean
  onOpen: (name: string, attributes: Attributes) => void
  onText?: (text: string, parent: string) => void
  onClose?: (name: string) => void
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
      if (hidden === 0) handler.onText?.(text, open.at(-1) ?? '')
    },
    onclosetag: (name) => {
      if (hidden === 0) handler.onClose?.(name)
      if (hidden === open.length) hidden = 0
      open.pop()
    },
  })
}

/** The texts of the elements of a name, with what their `t` hold outside of elements that are left out. */
export function textsIn(xml: Uint8Array, element: string, leftOut: string): string[] {
  const texts: string[] = []
  let [tag, text, left, isRaised] = ['', '', 0, false]
  readPlainXml(xml, {
    onopentag: (name, { val }) => {
      tag = name
      if (name === leftOut) left += 1
      if (name === 'br') text += ' '
      if (name === 'vertAlign') isRaised = val === 'superscript'
    },
    ontext: (piece) => {
      if (tag !== 't' || left > 0) return
      text += (isRaised ? exponentSign(text, piece) : '') + piece
      isRaised = false
    },
    onclosetag: (name) => {
      tag = ''
      if (name === leftOut) left -= 1
      if (name !== element) return
      texts.push(text)
      text = ''
    },
  })
  return texts
}
