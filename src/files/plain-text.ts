import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { decodeText } from './decode-text.ts'
import { isHtml, markedKind } from './kind.ts'
import { unsupported } from './refusals.ts'

/** A longer file has too much text in any encoding; its mark comes on top. */
const maxBytes = 4 * maxLengths.DatasourceText + 4

/** Undefined where a parser is needed, or decoding takes long. @throws ServiceError as `markedKind` */
export function plainTextOf(bytes: Buffer, isNamedHtml: boolean): string | undefined {
  if (bytes.length > maxBytes || markedKind(bytes)) return undefined
  const text = decodeText(bytes)
  if (text === undefined) throw unsupported()
  return isHtml(text, isNamedHtml) ? undefined : text
}
