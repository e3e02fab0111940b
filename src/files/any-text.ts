import { decodeText } from './decode-text.ts'
import { mayBeText } from './is-text.ts'

/** A text of any encoding; undefined for what is none. The detector is loaded for those that need it. */
export async function anyText(bytes: Uint8Array, charset?: string): Promise<string | undefined> {
  const text = decodeText(bytes, charset)
  if (text !== undefined || !mayBeText(bytes)) return text
  const { detectText } = await import('./detect-text.ts')
  return detectText(bytes)
}
