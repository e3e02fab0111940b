/** A datasource's free-form metadata; null when it has none. */
export type Metadata = Record<string, unknown> | null

/** The place a datasource was made from: the first of three members that is a non-empty string, or "". */
export function sourceOf(metadata: Metadata): string {
  const candidates = [metadata?.source_url, metadata?.source, metadata?.url]
  return candidates.find(isText) ?? ''
}

/** What `custom_ids` finds a datasource by: `custom_id`, a string or an array of strings. */
export function customIdsOf(metadata: Metadata): string[] {
  const value = metadata?.custom_id
  if (typeof value === 'string') return [value]
  return isStrings(value) ? value : []
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
