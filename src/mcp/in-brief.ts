/** The beginning of a text, on one line, in at most `max` characters. */
export function inBrief(text: string, max: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= max) return line
  // Half of a character is none.
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
