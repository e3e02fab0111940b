import { connect, Index, MatchQuery } from '@lancedb/lancedb'
import type { Text } from './collection.ts'
import type { Retrieval } from './retrieval.ts'

/**
 * LanceDB alone, in this process, with its full-text index as it comes: a row a document, indexed
 * when all are in. What anybody has without this service, and the yardstick of its time.
 */
export async function openDefaultFullText(directory: string, documents: Text[]) {
  const connection = await connect(directory)
  const table = await connection.createTable('documents', documents)
  await table.createIndex('text', { config: Index.fts() })
  const retrieval: Retrieval = {
    name: 'default full text',
    async ask(query, topK) {
      const rows: { number: string }[] = await table
        .query()
        .fullTextSearch(new MatchQuery(query, 'text'))
        .select(['number', 'text', '_score'])
        .limit(topK)
        .toArray()
      return [...new Set(rows.map(({ number }) => number))]
    },
  }
  return {
    retrieval,
    close() {
      table.close()
      connection.close()
    },
  }
}
