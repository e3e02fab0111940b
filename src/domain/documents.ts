/** A datasource's free-form metadata; null when it has none. */
export type Metadata = Record<string, unknown> | null

/** A document as sent: an absent name or metadata is none when new, and stays as it was on update. */
export type NewDocument = { text: string; name?: string; metadata?: Metadata }

/** The place a datasource was made from: the first of three members that is a non-empty string, or "". */
export function sourceOf(metadata: Metadata): string {
  const candidates = [metadata?.source_url, metadata?.source, metadata?.url]
  return candidates.find(isText) ?? ''
}

/** What `custom_ids` finds a datasource by: the value or values of `custom_id`, as text. */
export function customIdsOf(metadata: Metadata): string[] {
  const values = [metadata?.custom_id].flat()
  return [...new Set(values.filter(isScalar).map(String))]
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
