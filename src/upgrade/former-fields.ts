import { defaults } from '../../generated/defaults.gen.ts'
import type { DatastoreFields } from '../domain/datastores.ts'
import { isFormerBuiltIn } from '../embeddings/hashing-embedder.ts'

/** Whether the record of a datastore is of an older format, or names a former embedder. */
export const isFormer = (fields: DatastoreFields): boolean =>
  isFormerBuiltIn(fields.embeddingModel) || !('fragmentLength' in fields)

/** Before format 6 all datastores had the default length. */
export const withFragmentLength = (fields: Omit<DatastoreFields, 'fragmentLength'>) => ({
  ...fields,
  fragmentLength: defaults.FragmentLength,
})
