import { maxLengths } from '../../../generated/max-lengths.gen.ts'
import type { AgentsDatastores } from '../../../client/src/index.ts'
import { maxRetries } from '../ingest/upload.ts'
import { messageOf } from '../messages.ts'
import { isPathLess } from '../names.ts'
import { isOfOneIn } from '../of-one.ts'
import type { Read } from './batches.ts'
import type { Line } from './line.ts'

type Failure = { number: number; reason: string }

/**
 * Puts documents together. Where that fails for one of them, each is put alone, and those that fail are
 * answered. @throws what is no matter of one document
 */
export async function putBatch(
  client: AgentsDatastores,
  datastore: string,
  batch: Read[],
  signal: AbortSignal,
): Promise<Failure[]> {
  const options = { signal, maxRetries }
  const isOfOne = isOfOneIn(client, datastore)
  if (batch.length > 1) {
    try {
      await client.putDocuments(datastore, { documents: batch.map(({ line }) => line) }, options)
      return []
    } catch (error) {
      if (!(await isOfOne(error, signal))) throw error
    }
  }
  const failures: Failure[] = []
  for (const { number, line } of batch) {
    try {
      await put(client, datastore, line, options)
    } catch (error) {
      if (!(await isOfOne(error, signal))) throw error
      failures.push({ number, reason: `(${line.key}) ${messageOf(error)}` })
    }
  }
  return failures
}

/** A text too long for JSON goes as a file, which keeps it as it is. */
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
