import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { visibleEnd } from '../text/splitting/blanks.ts'
import type { FileText } from './file-text.ts'
import { noText, textTooLong } from './refusals.ts'

const most = maxLengths.DatasourceText

/** A text as a datasource may have it. @throws ServiceError `no_text`, `payload_too_large` */
export function checkedText({ text, pages }: FileText): FileText {
  const wellFormed = text.toWellFormed()
  if (visibleEnd(wellFormed) === 0) throw noText()
  if (text.length > most && [...wellFormed].length > most) throw textTooLong(most)
  return { text: wellFormed, pages }
}
