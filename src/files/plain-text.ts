import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { decodeText } from './decode-text.ts'
import { isHtml, markedKind } from './kind.ts'
import { unsupported } from './refusals.ts'

/** No longer one is short enough, however it is encoded; its mark comes on top. */
const maxBytes = 4 * maxLengths.DatasourceText + 4

/**
 * The text of a file that needs no parser; undefined for any other, and for one that takes long to decode.
 * @throws ServiceError `unsupported_media_type`, `unreadable_file`
 */
export function plainTextOf(bytes: Buffer, isNamedHtml: boolean): string | undefined {
  if (bytes.length > maxBytes || markedKind(bytes)) return undefined
  const text = decodeText(bytes)
  if (text === undefined) throw unsupported()
  return isHtml(text, isNamedHtml) ? undefined : text
}
