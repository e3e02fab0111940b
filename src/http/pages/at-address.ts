/** A document's text as a function of the address that stands in it; absent is the address it declares. */
export function atAddress(text: string, declared: string): (base: string | undefined) => string {
  // The member itself, in YAML or JSON: a description above it may hold the same words.
  const start = text.indexOf(declared, text.search(/^servers:|,"servers":\[/m))
  const [before, after] = [text.slice(0, start), text.slice(start + declared.length)]
  return (base = declared) => before + base + after
}
