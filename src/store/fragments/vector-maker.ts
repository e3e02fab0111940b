/** What made the vectors of a table: a model, and what stood before the texts of each role. */
export type VectorMaker = { model: string; prefixes?: Record<Role, string> | undefined }

type Role = 'query' | 'document'

const modelKey = 'embeddingModel'
const prefixesKey = 'embeddingPrefixes'

/** As the schema of a table keeps it. */
export function schemaMetadataOf({ model, prefixes }: VectorMaker): Map<string, string> {
  const metadata = new Map([[modelKey, model]])
  if (prefixes) metadata.set(prefixesKey, JSON.stringify(prefixes))
  return metadata
}

/** Undefined where the table is too old to say. */
export function vectorMakerOf(metadata: Map<string, string>): VectorMaker | undefined {
  const model = metadata.get(modelKey)
  const prefixes = metadata.get(prefixesKey)
  if (model === undefined) return undefined
  return prefixes === undefined ? { model } : { model, prefixes: JSON.parse(prefixes) }
}
