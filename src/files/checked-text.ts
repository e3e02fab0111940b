import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { TimeSlice } from '../process/time-slice.ts'
import { skipBlanks } from '../text/blanks.ts'
import type { FileText } from './file-text.ts'
import { noText, textTooLong } from './refusals.ts'

const most = maxLengths.StoredText
const charactersAtOnce = 16_384

/** A text as a datasource may have it. @throws ServiceError `no_text`, `payload_too_large` */
export async function checkedText({ text, ...rest }: FileText): Promise<FileText> {
  const wellFormed = text.toWellFormed()
  if (isLongerThan(most, wellFormed)) throw textTooLong(most)
  if (await isBlank(wellFormed)) throw noText()
  return { text: wellFormed, ...rest }
}

/** Looks at some characters at a time, because millions may be blank. */
async function isBlank(text: string): Promise<boolean> {
  const slice = new TimeSlice()
  for (let at = 0; at < text.length;) {
    const skipped = skipBlanks(text.slice(at, at + charactersAtOnce), 0)
    if (skipped === 0) return false
    at += skipped
    await slice.pause()
  }
  return true
}

/** In characters, which are one or two UTF-16 code units. */
function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max
  let pairs = 0
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >>> 10 === highSurrogates) pairs += 1
  }
  return text.length - pairs > max
}

const highSurrogates = 0xd800 >>> 10
