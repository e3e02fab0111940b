const inMeta = /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*(?<label>[\w:.-]{1,40})/i
const inXml = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["'](?<label>[\w:.-]{1,40})/i
const inCss = /^@charset\s+"(?<label>[\w:.-]{1,40})"/i

/** What a page or an XML says of its own encoding, wherever it does. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const { groups } = inXml.exec(text) ?? inMeta.exec(text) ?? inCss.exec(text) ?? {}
  const label = groups?.['label']
  // Bytes in which it can be read are no UTF-16.
  return label && /^utf-?16/i.test(label) ? undefined : label
}
