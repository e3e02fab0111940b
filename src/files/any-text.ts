import { decodeText } from './decode-text.ts'
import { mayBeText } from './is-text.ts'
import type { Decoded } from './named-encoding.ts'

/** Decodes a text of any encoding. Undefined for other bytes. Loads the detector only if it is needed. */
export async function anyText(bytes: Uint8Array, charset?: string): Promise<Decoded | undefined> {
  const decoded = decodeText(bytes, charset)
  if (decoded || !mayBeText(bytes)) return decoded
  const { detectText } = await import('./detect-text.ts')
  return detectText(bytes)
}
