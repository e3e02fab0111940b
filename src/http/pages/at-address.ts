/** Makes copies of a document's text, each with another address in the place of the declared one. */
export function atAddress(text: string, declared: string): (base: string | undefined) => string {
  // The member itself, in YAML or JSON: a description above it may hold the same words.
  const start = text.indexOf(declared, text.search(/^servers:|,"servers":\[/m))
  const [before, after] = [text.slice(0, start), text.slice(start + declared.length)]
  return (base = declared) => before + base + after
}
