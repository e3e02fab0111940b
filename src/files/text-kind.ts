import type { TextKind, FileHints } from './uploaded-file.ts'

/** Markdown may begin with other tags. */
const htmlStart =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,1000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/is
const headLength = 4_096
const anyTag = /<[a-z][^<>]*>/i
const subtitles = /^(?:WEBVTT\b|\s*(?:\d+\s+)?\d{1,2}:\d\d:\d\d,\d{3} --> \d{1,2}:\d\d:\d\d,\d{3})/
const calendar = /^\s*BEGIN:VCALENDAR\s/i
const feed =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<\?xml-stylesheet[^>]{0,300}>\s*)?(?:<!--.{0,1000}?-->\s*)?<(?:rss\b|feed\b[^>]{0,1000}www\.w3\.org\/2005\/Atom|rdf:RDF\b[^>]{0,1000}purl\.org\/rss\/)/is
const contacts = /^\s*BEGIN:VCARD\s/i

/** The kind of a text, undefined for plain text. If two are possible, the hints decide. */
export function textKindOf(text: string, { kind }: FileHints): TextKind | undefined {
  const head = text.slice(0, headLength)
  if (htmlStart.test(head) || (kind === 'html' && anyTag.test(text))) return 'html'
  if (subtitles.test(head)) return 'subtitles'
  if (calendar.test(head)) return 'calendar'
  if (contacts.test(head)) return 'contacts'
  if (feed.test(head)) return 'feed'
  if (head.trimStart().startsWith('{')) return isNotebook(text) ? 'notebook' : undefined
  return isMail(text, kind === 'mail') ? 'mail' : undefined
}

const isNotebook = (text: string): boolean =>
  /"cell_type"\s*:/.test(text) && /"nbformat"\s*:/.test(text)

const minFields = 2
const maxLines = 1_000
const field = /^[\w-]{1,80}:/
/** Others than mails have things received, but not `from` or `by` a server, with the time behind a semicolon. */
const ofMail = /^(?:(?:MIME-Version|Message-ID):|Received:\s*(?:from|by)\b(?:[^;\n]|\n[ \t])*;)/im
const mboxLine =
  /^From (?:\S+|\S+ at \S+|"[^"\n]{1,80}"\S*) +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.{1,60}\b(?:19|20)\d\d\b/

/** Begins like a mail. A file that is named a mail may have any fields. */
function isMail(text: string, isNamedMail: boolean): boolean {
  let [at, fields, isOfMail] = [0, 0, isNamedMail]
  for (let line = 0; line < maxLines; line++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return false
    const content = text.slice(at, end)
    at = end + 1
    if (content === '' || content === '\r') {
      return fields >= minFields && (isOfMail || ofMail.test(text.slice(0, at)))
    }
    if (field.test(content)) fields += 1
    else if (!/^[ \t]/.test(content) && !(line === 0 && content.startsWith('From '))) return false
    isOfMail ||= line === 0 && mboxLine.test(content)
  }
  return false
}
