import { maxLengths } from '../../../generated/max-lengths.gen.ts'
import type { AgentsDatastores } from '../../../client/src/index.ts'
import { maxRetries } from '../ingest/upload.ts'
import { messageOf } from '../messages.ts'
import { isPathLess } from '../names.ts'
import { documentFailuresIn } from '../document-failure.ts'
import type { Read } from './batches.ts'
import type { Line } from './line.ts'

type Failure = { number: number; reason: string }

/**
 * Puts documents in one request. If that fails because of one of them, puts each alone. @returns those that failed
 * @throws an error that is not about one document
 */
export async function putBatch(
  client: AgentsDatastores,
  datastore: string,
  batch: Read[],
  signal: AbortSignal,
): Promise<Failure[]> {
  const options = { signal, maxRetries }
  const isDocumentFailure = documentFailuresIn(client, datastore)
  if (batch.length > 1) {
    try {
      await client.putDocuments(datastore, { documents: batch.map(({ line }) => line) }, options)
      return []
    } catch (error) {
      if (!(await isDocumentFailure(error, signal))) throw error
    }
  }
  const failures: Failure[] = []
  for (const { number, line } of batch) {
    try {
      await put(client, datastore, line, options)
    } catch (error) {
      if (!(await isDocumentFailure(error, signal))) throw error
      failures.push({ number, reason: `(${line.key}) ${messageOf(error)}` })
    }
  }
  return failures
}

/** A text too long for JSON is uploaded as a file. */
async function put(
  client: AgentsDatastores,
  datastore: string,
  { key, ...document }: Line,
  options: { signal: AbortSignal; maxRetries: number },
): Promise<void> {
  const { text, name, metadata } = document
  if (isPathLess(key) && !isLong(text)) {
    await client.putDocuments(datastore, { documents: [{ key, ...document }] }, options)
    return
  }
  if (!isLong(text)) {
    await client.putDocument(datastore, key, document, options)
    return
  }
  const file = new File([text], 'text.txt', { type: 'text/plain; charset=utf-8' })
  const body = { file, name, ...(metadata && { metadata }) }
  await client.uploadFile(datastore, body, { key }, options)
}

const isLong = (text: string): boolean =>
  text.length > maxLengths.DatasourceText && [...text].length > maxLengths.DatasourceText
