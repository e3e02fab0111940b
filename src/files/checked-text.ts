import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { skipBlanks } from '../text/blanks.ts'
import type { FileText } from './file-text.ts'
import { noText, textTooLong } from './refusals.ts'

const most = maxLengths.StoredText

/** A text as a datasource may have it. @throws ServiceError `no_text`, `payload_too_large` */
export function checkedText({ text, ...rest }: FileText): FileText {
  const wellFormed = text.toWellFormed()
  if (isLongerThan(most, wellFormed)) throw textTooLong(most)
  if (skipBlanks(wellFormed, 0) === wellFormed.length) throw noText()
  return { text: wellFormed, ...rest }
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
