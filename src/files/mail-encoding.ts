import PostalMime, { type Email } from 'postal-mime'
import { anyText } from './decode-text.ts'

/** Else some mails would be in the text of the one around them. */
const options = { forceRfc822Attachments: true }

/**
 * A mail. What does not tell its encoding is in that of the file, `decoded`, except for parts beside one that tells its
 * own. A part whose bytes the file does not show, in Base64 or quoted-printable, is decoded as a file of its own.
 */
export async function parsedMail(own: string | Uint8Array, decoded: string): Promise<Email> {
  const mail = await PostalMime.parse(own, options)
  if (!isUnreadable(mail)) return mail
  const isOwn = (name: string) => bodies.some((body) => body === name) && namedCharset.test(decoded)
  const members = Object.entries(await PostalMime.parse(decoded, options))
  const better = members.filter(
    ([name, value]) =>
      !isOwn(name) && isUnreadable(mail[name as keyof Email]) && !isUnreadable(value),
  )
  const read: Email = { ...mail, ...Object.fromEntries(better) }
  return typeof own === 'string' ? read : withBodies(read, own)
}

const bodies = ['text', 'html'] as const
const namedCharset =
  /^Content-Type:[^\n]*(?:\n[ \t][^\n]*)*?\bcharset\s*=\s*["']?(?!utf-?8|us-ascii)\w/im

const isUnreadable = (value: unknown): boolean => JSON.stringify(value ?? '').includes('\ufffd')

const unnamed = /^Content-Type:[ \t]*text\/(?:html|plain)\b(?!(?:[^\n]|\n[ \t])*?\bcharset\s*=)/gim
/** Each byte is a character in it. */
const asBytes = '; charset=x-user-defined'
const ofBytes = /([\0-\x7f\uf780-\uf7ff]+)/
const notAscii = /[\uf780-\uf7ff]/

/** The mail with its unreadable bodies decoded by their own bytes. */
async function withBodies(mail: Email, bytes: Uint8Array): Promise<Email> {
  const unreadable = bodies.filter((name) => isUnreadable(mail[name]))
  if (unreadable.length === 0) return mail
  const marked = Buffer.from(bytes).toString('latin1').replaceAll(unnamed, `$&${asBytes}`)
  const read = await PostalMime.parse(Buffer.from(marked, 'latin1'), options)
  const whole = { ...mail }
  for (const name of unreadable) whole[name] = await decodedBytes(read[name] ?? '')
  return whole
}

async function decodedBytes(body: string): Promise<string> {
  const pieces: string[] = []
  for (const piece of body.replaceAll(asBytes, '').split(ofBytes)) {
    const decoded = notAscii.test(piece) ? await anyText(Buffer.from(piece, 'latin1')) : undefined
    pieces.push(decoded?.text ?? piece)
  }
  return pieces.join('')
}
