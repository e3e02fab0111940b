import { type Field, fieldsIn, plain } from './content-lines.ts'
import type { FileText } from './file-text.ts'
import { headingLine } from './markdown.ts'

/** The contacts of a VCF (RFC 6350 and older), each below its name. A text without any stays as it is. */
export function readContacts(text: string): FileText {
  const contacts: Field[][] = []
  for (const field of fieldsIn(text)) {
    if (field.name === 'BEGIN') contacts.push([])
    else contacts.at(-1)?.push(decoded(field))
  }
  const texts = contacts.map(textOf).filter((one) => one !== '')
  return { text: texts.length === 0 ? text : texts.join('\n\n') }
}

function decoded(field: Field): Field {
  if (!/;(?:ENCODING=)?QUOTED-PRINTABLE/i.test(field.parameters)) return field
  const { charset = 'utf-8' } = /;CHARSET=(?<charset>[\w-]+)/i.exec(field.parameters)?.groups ?? {}
  const bytes = field.value.replace(/=(?<code>[\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  )
  return { ...field, value: inCharset(Buffer.from(bytes, 'latin1'), charset) }
}

function inCharset(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** The parts of a value, from which a backslash keeps a semicolon. */
const partsOf = ({ value }: Field): string[] =>
  value
    .split(/(?<!\\);/)
    .map((part) => plain({ value: part.replace(/(?<!\\),/g, ', ') }).replace(/\s+/g, ' '))
    .filter((part) => part !== '')

const joined = (field: Field): string => partsOf(field).join(', ')
const direct = (field: Field): string => plain(field).replace(/^(?:tel|mailto):/i, '')
const day = (field: Field): string =>
  plain(field)
    .replace(/^(\d{4}|--)-?(\d\d)-?(\d\d)(?:T.*)?$/, '$1-$2-$3')
    .replace(/^---/, '--')

const written: Record<string, [label: string, (field: Field) => string]> = {
  NICKNAME: ['Nickname', joined],
  ORG: ['Organization', joined],
  TITLE: ['Title', plain],
  ROLE: ['Role', plain],
  TEL: ['Phone', direct],
  EMAIL: ['Email', direct],
  IMPP: ['Chat', plain],
  ADR: ['Address', joined],
  URL: ['Web', plain],
  BDAY: ['Birthday', day],
  ANNIVERSARY: ['Anniversary', day],
  RELATED: ['Related', plain],
  CATEGORIES: ['Categories', joined],
}

const kind = /^;(?:TYPE=)?(?<kind>home|work|cell|fax|pager|main|other)$/i

/** What a number or an address is for: `Phone (work)`. */
function labelOf(label: string, { parameters }: Field): string {
  const said = parameters
    .replaceAll('"', '')
    .replace(/TYPE=[^;]*/gi, (types) => types.replaceAll(',', ';'))
    .match(/;[^;]*/g)
  const kinds = (said ?? []).flatMap((one) => kind.exec(one)?.groups?.['kind']?.toLowerCase() ?? [])
  return kinds.length === 0 ? label : `${label} (${kinds.join(', ')})`
}

function textOf(fields: Field[]): string {
  const byName = Map.groupBy(fields, ({ name }) => name)
  const linesOf = (name: string): string[] => {
    const [label, write] = written[name]!
    return (byName.get(name) ?? []).flatMap((field) => {
      const value = write(field).replace(/\s+/g, ' ')
      return value === '' ? [] : [`${labelOf(label, field)}: ${value}`]
    })
  }
  const lines = Object.keys(written).flatMap(linesOf)
  const notes = (byName.get('NOTE') ?? []).map(plain)
  const texts = [headingLine(2, nameOf(byName)), lines.join('\n'), ...notes]
  return fields.length === 0 ? '' : texts.filter((text) => text !== '').join('\n\n')
}

function nameOf(byName: Map<string, Field[]>): string {
  const first = (name: string): Field[] => (byName.get(name) ?? []).slice(0, 1)
  const [family = '', ...given] = first('N').flatMap(partsOf)
  const names = [...first('FN').map(plain), [...given, family].join(' ').trim()]
  const others = [...first('ORG').map(joined), ...first('EMAIL').map(direct)]
  return [...names, ...others].find((name) => name !== '')?.replace(/\s+/g, ' ') ?? 'Contact'
}
