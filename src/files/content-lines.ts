/** A line of a calendar (RFC 5545) or of a contact (RFC 6350). */
export type Field = { name: string; parameters: string; value: string }

// The name may have a group before it, and the parameters colons in quotation marks.
const line = /^(?:[\w-]+\.)?(?<name>[\w-]+)(?<parameters>(?:;(?:"[^"]*"|[^":])*)?):(?<value>.*)$/
/** Of old contacts, whose lines end with a sign of equality if they go on. */
const quotedLines = /^(?=[^\n:]*;(?:ENCODING=)?QUOTED-PRINTABLE)[^\n:]*:(?:[^\n]*=\r?\n)+/gim

/** A long line goes on below, behind a blank that is no part of it. */
export const fieldsIn = (text: string): Field[] =>
  text
    .replace(quotedLines, (lines) => lines.replace(/=\r?\n/g, ''))
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((written) => {
      const { name = '', parameters = '', value = '' } = line.exec(written)?.groups ?? {}
      return name === '' ? [] : [{ name: name.toUpperCase(), parameters, value: value.trim() }]
    })

const escapes: Record<string, string> = { n: '\n', N: '\n' }

/** A value as it is read, without the signs before others. */
export const plain = ({ value }: Pick<Field, 'value'>): string =>
  value.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign).trim()
