import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import type { FileText } from './file-text.ts'
import { readHtml, readHtmlPage } from './html.ts'
import { headingLine } from './markdown.ts'

/** A mail below its subject, with who wrote it to whom and when; a page that was saved as one is that page. */
export async function readMail(_: string, bytes: Uint8Array): Promise<FileText> {
  const mail = await PostalMime.parse(bytes)
  if (isSavedPage(mail) && mail.html) return readHtmlPage(mail.html)
  const parts = [headOf(mail), bodyOf(mail), namesOf(mail.attachments)]
  return { text: parts.filter((part) => part !== '').join('\n\n') }
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
  const title = subject.trim() === '' ? [] : [headingLine(1, subject.trim())]
  return [...title, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

function nameOf({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(nameOf).join(', ')}`
  return name === '' ? (address ?? '') : `${name} <${address}>`
}

/** Prefers the HTML of a mail, which has links and tables. The plain text repeats it. */
function bodyOf({ html, text = '' }: Email): string {
  const read = html === undefined ? '' : readHtml(html).text
  return read === '' ? text.trim() : read
}

/** Leaves out pictures in the text, which are no attachments to a reader. */
function namesOf(attachments: Attachment[]): string {
  const names = attachments.flatMap(({ filename, related: isOfText }) =>
    filename && !isOfText ? [filename] : [],
  )
  return names.length === 0 ? '' : `Attachments: ${names.join(', ')}`
}
