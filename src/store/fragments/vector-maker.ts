/** What made the vectors of a table: a model, and the prefixes of the texts of each role. */
export type VectorMaker = { model: string; prefixes?: Record<Role, string> | undefined }

type Role = 'query' | 'document'

const modelKey = 'embeddingModel'
const prefixesKey = 'embeddingPrefixes'

export function schemaMetadataOf({ model, prefixes }: VectorMaker): Map<string, string> {
  const metadata = new Map([[modelKey, model]])
  if (prefixes) metadata.set(prefixesKey, JSON.stringify(prefixes))
  return metadata
}

/** Undefined if the table is too old to name it. */
export function vectorMakerOf(metadata: Map<string, string>): VectorMaker | undefined {
  const model = metadata.get(modelKey)
  const prefixes = metadata.get(prefixesKey)
  if (model === undefined) return undefined
  return prefixes === undefined ? { model } : { model, prefixes: JSON.parse(prefixes) }
}
