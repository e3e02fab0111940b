import { type AgentsDatastores, ProblemError, TimeoutError } from '../../client/src/index.ts'

/** Whether a request failed because of its document, so that others may succeed. */
export type IsDocumentFailure = (error: unknown, signal: AbortSignal) => Promise<boolean>

const statuses = new Set([400, 413, 415, 422, 500, 503, 504])

export const documentFailuresIn =
  (client: AgentsDatastores, datastoreId: string): IsDocumentFailure =>
  async (error, signal) => {
    if (!(error instanceof ProblemError)) return error instanceof TimeoutError
    // An embedding provider may refuse this text, such as a long one, or every text.
    if (error.code === 'embedding_failed') return embedsOthers(client, datastoreId, signal)
    return statuses.has(error.status)
  }

async function embedsOthers(
  client: AgentsDatastores,
  datastoreId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const query = { query: 'model', mode: 'vector', topK: 1 } as const
  try {
    await client.queryDatastore(datastoreId, query, { signal })
    return true
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}
