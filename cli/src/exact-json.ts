/** The message continues a subject such as "line 4". */
export class ChangedNumber extends Error {}

/** Parses JSON. @throws ChangedNumber for a number that a double cannot hold, which the service refuses, too */
export const exactJson = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    if (typeof value !== 'number' || !isChanged(value, source)) return value
    throw new ChangedNumber(`has a number that would not come back as it was sent: ${source}`)
  })

function isChanged(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true
  if (/^-?\d+$/.test(source)) return BigInt(source) !== BigInt(value)
  return value === 0 && /^-?[\d.]*[1-9]/.test(source)
}
