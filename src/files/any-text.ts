import { decodeText } from './decode-text.ts'
import { mayBeText } from './is-text.ts'

/** Decodes a text of any encoding. Undefined for other bytes. Loads the detector only if it is needed. */
export async function anyText(bytes: Uint8Array, charset?: string): Promise<string | undefined> {
  const text = decodeText(bytes, charset)
  if (text !== undefined || !mayBeText(bytes)) return text
  const { detectText } = await import('./detect-text.ts')
  return detectText(bytes)
}
