import { setTimeout } from 'node:timers/promises'
import { type AgentsDatastores, ConnectionError, ProblemError, TimeoutError } from '../../index.ts'
import type { Content } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import { type Metadata, nameOf } from './provenance.ts'

/** Puts a file under its key, durably. Answers why it is not taken, or undefined when it is stored. */
export type Upload = (
  file: FoundFile,
  content: Content,
  metadata: Metadata,
  signal: AbortSignal,
) => Promise<string | undefined>

/** A server that is overloaded or starts anew is waited for, because the work goes on for long anyway. */
export const maxRetries = 5

/** The service reads no such file, so that it is none of those to ingest. */
const refusals = new Set(['unsupported_media_type', 'no_text', 'payload_too_large'])

export const uploadTo =
  (client: AgentsDatastores, datastoreId: string): Upload =>
  async ({ key }, { bytes }, metadata, signal) => {
    const name = nameOf(key)
    // A form turns the line breaks of a key into others, and takes no control characters in a file's name.
    const file = new File([bytes], name.replaceAll(/\p{Cc}/gu, '_'))
    const body = { file, name, metadata }
    const send = () => client.uploadFile(datastoreId, body, { key }, { signal, maxRetries })
    try {
      await untilSent(send, signal)
      return undefined
    } catch (error) {
      if (error instanceof ProblemError && refusals.has(error.code)) return error.detail
      throw error
    }
  }

/** Under a key it can be sent again after an answer was lost, which the client does not know. */
async function untilSent(send: () => PromiseLike<unknown>, signal: AbortSignal): Promise<void> {
  for (let retries = 0; ; retries += 1) {
    try {
      await send()
      return
    } catch (error) {
      const isBroken = error instanceof ConnectionError && !(error instanceof TimeoutError)
      if (!isBroken || retries === maxRetries) throw error
    }
    await setTimeout(500 * 2 ** retries, undefined, { signal })
  }
}
