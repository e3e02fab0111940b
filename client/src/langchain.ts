import { type DocumentInterface, Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import type { QueryDatastore } from '../../generated/types.gen.ts'
import type { AgentsDatastores } from './index.ts'

/** A datastore, and how it is queried: `topK`, `filters` and the like. `include` adds to the metadata. */
export type DatastoreRetrieverInput = BaseRetrieverInput &
  Omit<QueryDatastore, 'query'> & { client: AgentsDatastores; datastoreId: string }

/**
 * A datastore as a retriever of LangChain. The metadata of its documents are those of the datasources,
 * with `score`, `source`, `datasource_id`, `datasource_name` and what is included. It needs the package
 * `@langchain/core`; without it, it has no `invoke`.
 */
export class DatastoreRetriever extends BaseRetriever {
  static override lc_name = (): string => 'DatastoreRetriever'
  readonly lc_namespace = ['agents-datastores-client', 'langchain']
  readonly #search: (query: string) => Promise<DocumentInterface[]>

  constructor(input: DatastoreRetrieverInput) {
    const { client, datastoreId, callbacks, tags, metadata, verbose, ...how } = input
    super({ callbacks, tags, metadata, verbose })
    const include = [...new Set([...(how.include ?? []), 'metadata' as const])]
    this.#search = async (query) => {
      const fragments = await client.queryDatastore(datastoreId, { ...how, include, query })
      return fragments.map(
        ({ text, metadata: own, ...rest }) =>
          new Document({ pageContent: text, metadata: { ...own, ...rest } }),
      )
    }
  }

  override _getRelevantDocuments(query: string): Promise<DocumentInterface[]> {
    return this.#search(query)
  }
}
