import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { unicodeText } from './decode-text.ts'
import { mayBeText } from './is-text.ts'
import { markedKind } from './kind.ts'
import { unsupported } from './refusals.ts'
import { textKindOf } from './text-kind.ts'
import type { Told } from './told.ts'

/** A longer file has too much text in any encoding; its mark comes on top. */
const maxBytes = 4 * maxLengths.DatasourceText + 4
/** A file that is no text shows it here. */
const headLength = 64 * 1024

/** Undefined where a parser or another encoding is needed, or decoding takes long. @throws ServiceError as `markedKind` */
export function plainTextOf(bytes: Buffer, told: Told): string | undefined {
  if (bytes.length > maxBytes || markedKind(bytes)) return undefined
  if (told.charset && !/^utf-?8$/i.test(told.charset)) return undefined
  const text = unicodeText(bytes)
  if (text === undefined && !mayBeText(bytes.subarray(0, headLength))) throw unsupported()
  return text === undefined || textKindOf(text, told) ? undefined : text
}
