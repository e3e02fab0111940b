import type { Address, Attachment, Email } from 'postal-mime'
import { anyText } from './decode-text.ts'
import { readCalendar } from './calendar.ts'
import type { FileText } from './file-text.ts'
import { readHtml, readHtmlPage } from './html.ts'
import { parsedMail } from './mail-encoding.ts'
import { headingLine } from './markdown.ts'

/** A mail below its subject, or those of an MBOX one after the other; a page that was saved as one is that page. */
export async function readMail(text: string, bytes: Uint8Array): Promise<FileText> {
  const decoded = mailsIn(text)
  const raw = isUtf16(bytes) ? [] : mailsIn(Buffer.from(bytes).toString('latin1'))
  const texts: string[] = []
  for (const [index, mail] of decoded.entries()) {
    const own = raw.length === decoded.length ? Buffer.from(raw[index]!, 'latin1') : mail
    const email = await parsedMail(own, mail)
    texts.push(...(await textsOf(email, decoded.length > 1)))
  }
  return { text: texts.filter((one) => one !== '').join('\n\n') }
}

/** Other mails have no zero byte. */
const isUtf16 = (bytes: Uint8Array): boolean => bytes.includes(0)

const mboxLine =
  /(?:^|\n\r?\n)From (?:\S+|\S+ at \S+|"[^"\n]{1,80}"\S*) +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b[^\n]{1,60}\b(?:19|20)\d\d\b[^\n]{0,20}\n(?=[\w-]{1,80}:)/
/** A line of a mail that begins like that one has a sign more. */
const escaped = /^>(?=>*From )/gm
/** As archives of mailing lists write it in a head; who wrote is in parentheses behind it. */
const hiddenAddress = /^((?:[^\r\n]+\r?\n)*?From: \S+) at (\S+)/

function mailsIn(text: string): string[] {
  const [before = '', ...mails] = text.split(mboxLine)
  const isMbox = before.trim() === '' && mails.length > 0
  return isMbox
    ? mails.map((mail) => mail.replaceAll(escaped, '').replace(hiddenAddress, '$1@$2'))
    : [text]
}

const maxDepth = 16

/** A mail, and below it those that it forwards, which nobody can upload by themselves. */
async function textsOf(email: Email, isOneOfMany: boolean, depth = 0): Promise<string[]> {
  const subject = email.subject?.trim() || (isOneOfMany ? '(no subject)' : '')
  const forwarded = email.attachments.filter(isMail)
  const texts = [textOf({ ...email, subject }), ...(await partsOf(email.attachments))]
  if (depth === maxDepth) return texts
  for (const { content } of forwarded) {
    const bytes = Buffer.from(content as ArrayBuffer)
    const inner = await parsedMail(bytes, (await anyText(bytes))?.text ?? '')
    texts.push(...(await textsOf(inner, true, depth + 1)))
  }
  return texts
}

/** Of a mail that did not arrive, some servers return the head alone. */
const isMail = ({ mimeType }: Attachment): boolean =>
  mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers'
function textOf(mail: Email): string {
  if (isSavedPage(mail) && mail.html) return readHtmlPage(mail.html).text
  const texts = [headOf(mail), bodyOf(mail), namesOf(mail.attachments)]
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Browsers say that they wrote it, and Word names no one. */
const isSavedPage = ({ from, headers }: Email): boolean =>
  !from?.address && headers.some(({ key, value }) => key === 'content-type' && related.test(value))

const related = /^\s*multipart\/related\b/i

function headOf({ subject = '', from, to = [], cc = [], date = '' }: Email): string {
  const fields = [
    ['From', from ? nameOf(from) : ''],
    ['To', to.map(nameOf).join(', ')],
    ['Cc', cc.map(nameOf).join(', ')],
    ['Date', date.replace('T', ' ').replace(/(?::00)?\.000Z$/, ' UTC')],
  ].filter(([, value]) => value)
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  const title = subject === '' ? [] : [headingLine(1, subject)]
  return [...title, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

function nameOf({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(nameOf).join(', ')}`
  return name === '' ? (address ?? '') : `${name} <${address}>`
}

/** Prefers the HTML of a mail, which has links and tables. The plain text repeats it. */
function bodyOf({ html, text = '' }: Email): string {
  const read = html === undefined ? '' : readHtml(html)
  return read === '' ? text.trim() : read
}

const notice = /^message\/(?:delivery-status|disposition-notification)$/

/** Invitations, and what became of a mail: what programs show of these parts. */
async function partsOf(attachments: Attachment[]): Promise<string[]> {
  const texts: string[] = []
  for (const { mimeType, content } of attachments) {
    const isCalendar = mimeType === 'text/calendar'
    if (!isCalendar && !notice.test(mimeType)) continue
    const text = (await anyText(Buffer.from(content as ArrayBuffer)))?.text ?? ''
    texts.push(isCalendar ? readCalendar(text).text : text.replace(/\r\n?/g, '\n').trim())
  }
  return texts
}

/** Leaves out pictures in the text, which are no attachments to a reader. */
function namesOf(attachments: Attachment[]): string {
  const names = attachments.flatMap(({ filename, related: isOfText }) =>
    filename && !isOfText ? [filename] : [],
  )
  return names.length === 0 ? '' : `Attachments: ${names.join(', ')}`
}
