/** A document's text as a function of the address that stands in it; absent is the address it declares. */
export function atAddress(text: string, declared: string): (base: string | undefined) => string {
  const start = text.indexOf(declared, text.indexOf('servers'))
  const [before, after] = [text.slice(0, start), text.slice(start + declared.length)]
  return (base = declared) => before + base + after
}
