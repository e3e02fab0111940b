/** Makes a text of the document with the address it was asked at as the one to call. */
export type AtAddress = (base: string | undefined) => string

type Document = { servers?: { url: string }[] }

/**
 * Writes the document once; what is made from a copy then calls the server that gave it. Without an
 * address it is as it is written.
 */
export function atAddress(document: Document, write: (document: object) => string): AtAddress {
  const text = write(document)
  const declared = document.servers?.[0]?.url
  const start = declared === undefined ? -1 : text.indexOf(declared, text.indexOf('servers'))
  if (declared === undefined || start < 0) return () => text
  const [before, after] = [text.slice(0, start), text.slice(start + declared.length)]
  // It holds no character that either language would have to escape.
  return (base = declared) => before + base + after
}
