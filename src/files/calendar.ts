import { type Field, fieldsIn, plain } from './content-lines.ts'
import type { FileText } from './file-text.ts'
import { headingLine } from './markdown.ts'

type Write = (field: Field) => string

const components = /^(?:VEVENT|VTODO|VJOURNAL)$/i
const maxNamed = 100

/** The events and tasks of a calendar (RFC 5545), each below its name. One without any stays as it is. */
export function readCalendar(text: string): FileText {
  let [name, open, depth]: [string, Field[] | undefined, number] = ['', undefined, 0]
  const texts: string[] = []
  for (const field of fieldsIn(text)) {
    const isBegin = field.name === 'BEGIN'
    const isOfEvent = components.test(field.value)
    if (field.name === 'X-WR-CALNAME') name = headingLine(1, plain(field))
    else if (isBegin && !open && isOfEvent) open = []
    else if (field.name === 'END' && open && isOfEvent) {
      texts.push(textOf(open))
      ;[open, depth] = [undefined, 0]
    } // Alarms are in events, and have fields of the same names.
    else if (isBegin && open) depth += 1
    else if (field.name === 'END' && depth > 0) depth -= 1
    else if (depth === 0) open?.push(field)
  }
  // The end of a file may be cut off.
  if (open) texts.push(textOf(open))
  const filled = [name, ...texts].filter((one) => one !== '')
  return { text: texts.length === 0 ? text : filled.join('\n\n') }
}

const person: Write = ({ parameters, value }) => {
  const named = /;CN=(?:"(?<quoted>[^"]*)"|(?<bare>[^;]*))/i.exec(parameters)?.groups ?? {}
  const [name, address] = [named['quoted'] ?? named['bare'] ?? '', value.replace(/^mailto:/i, '')]
  return name === '' || name === address ? address : `${name} <${address}>`
}

const clock =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)\d\d(?<utc>Z?))?$/

const time: Write = ({ parameters, value }) => {
  const { year, month, day, hour, minute, utc } = clock.exec(value)?.groups ?? {}
  if (!year) return value
  const zone = utc ? 'UTC' : (/;TZID="?(?<zone>[^";]*)/i.exec(parameters)?.groups?.['zone'] ?? '')
  const ofDay = hour === undefined ? '' : ` ${hour}:${minute} ${zone}`
  return `${year}-${month}-${day}${ofDay}`.trim()
}

const dayLength = 24 * 60 * 60 * 1_000

/** Where no time is told, it is the day behind the last. */
const end: Write = (field) => {
  const [day, isDay] = [time(field), /^\d{8}$/.test(field.value)]
  const last = isDay ? new Date(Date.parse(day) - dayLength) : new Date(Number.NaN)
  return Number.isNaN(last.getTime()) ? day : last.toISOString().slice(0, day.length)
}

/** Values between commas, of which those with a backslash are part of a value. */
const listOf =
  (write: Write): Write =>
  (field) =>
    field.value
      .split(/(?<!\\),/)
      .map((value) => write({ ...field, value }))
      .join('\n')

const written: Record<string, [label: string, Write]> = {
  DTSTART: ['Start', time],
  DTEND: ['End', end],
  DURATION: ['Duration', plain],
  DUE: ['Due', time],
  RRULE: ['Repeats', plain],
  RDATE: ['Also', listOf(time)],
  EXDATE: ['Except', listOf(time)],
  LOCATION: ['Location', plain],
  ORGANIZER: ['Organizer', person],
  ATTENDEE: ['Attendees', person],
  CONTACT: ['Contact', plain],
  STATUS: ['Status', plain],
  CATEGORIES: ['Categories', listOf(plain)],
  URL: ['Address', plain],
  COMMENT: ['Comment', plain],
}

function textOf(fields: Field[]): string {
  const byName = Map.groupBy(fields, ({ name }) => name)
  // Some programs mean the day itself, where the standard has the day behind it.
  if (byName.get('DTEND')?.[0]?.value === byName.get('DTSTART')?.[0]?.value) byName.delete('DTEND')
  const [summary] = byName.get('SUMMARY') ?? []
  const lines = Object.entries(written).flatMap(([name, [label, write]]) => {
    const values = (byName.get(name) ?? []).slice(0, maxNamed).map(write)
    const pieces = values
      .join('\n')
      .split('\n')
      .map((piece) => piece.trim())
    const value = pieces.filter((piece) => piece !== '').join(', ')
    return value === '' ? [] : [`${label}: ${value}`]
  })
  const title = summary ? headingLine(2, plain(summary).replace(/\s+/g, ' ')) : ''
  const texts = [title, lines.join('\n'), ...(byName.get('DESCRIPTION') ?? []).map(plain)]
  return texts.filter((text) => text !== '').join('\n\n')
}
