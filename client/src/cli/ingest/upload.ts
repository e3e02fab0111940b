import type { AgentsDatastores } from '../../index.ts'
import { type Content, textOf } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import { type Metadata, nameOf } from './provenance.ts'

/** Puts a file under its key, durably. Answers why it is not taken, or undefined when it is stored. */
export type Upload = (
  file: FoundFile,
  content: Content,
  metadata: Metadata,
  signal: AbortSignal,
) => Promise<string | undefined>

/** An overloaded server is waited for, because the work goes on for long anyway. */
export const maxRetries = 5

/** With `isTried`, everything is done but the request. */
export const uploadTo =
  (client: AgentsDatastores, datastoreId: string, isTried: boolean): Upload =>
  async (file, { bytes }, metadata, signal) => {
    const read = textOf(bytes)
    if ('reason' in read) return read.reason
    const document = { text: read.text, name: nameOf(file), metadata }
    if (!isTried) {
      await client.putDocument(datastoreId, file.key, document, { signal, maxRetries })
    }
    return undefined
  }
