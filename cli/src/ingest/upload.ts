import { setTimeout } from 'node:timers/promises'
import {
  type AgentsDatastores,
  ConnectionError,
  ProblemError,
  TimeoutError,
} from '../../../client/src/index.ts'
import { type IsOfOne, isOfOneIn } from '../of-one.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import type { Content } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import type { Metadata } from './provenance.ts'

/** What is done to a datastore. */
export type Store = {
  /** Puts a file under its key, durably. Answers why it is not taken, or undefined when it is stored. */
  upload: (
    file: FoundFile,
    content: Content,
    metadata: Metadata,
    signal: AbortSignal,
  ) => Promise<Refusal | undefined>
  rename: (id: string, name: string, signal: AbortSignal) => Promise<void>
  isOfOne: IsOfOne
}

/** `isText` tells that the file has text, which the service would read if it were shorter or of another kind. */
export type Refusal = { reason: string; isText: boolean }

/** A server that is overloaded or starts anew is waited for, because the work goes on for long anyway. */
export const maxRetries = 5

/** The service reads no such file, so that it is none of those to ingest. */
const refusals = new Set(['unsupported_media_type', 'no_text', 'payload_too_large'])

export function storeOf(client: AgentsDatastores, datastoreId: string): Store {
  const alone = oneAtATime()
  return {
    upload: async ({ key, name }, { bytes }, metadata, signal) => {
      const file = new File([bytes], name.slice(name.lastIndexOf('/') + 1))
      const body = { file, name, metadata }
      const send = () => client.uploadFile(datastoreId, body, { key }, { signal, maxRetries })
      try {
        await untilSent(send, alone, signal)
        return undefined
      } catch (error) {
        if (!(error instanceof ProblemError) || !refusals.has(error.code)) throw error
        return { reason: error.detail, isText: hasText(error) }
      }
    },
    rename: async (id, name, signal) => {
      await client.patchDatasource(datastoreId, id, { name }, { signal, maxRetries })
    },
    isOfOne: isOfOneIn(client, datastoreId),
  }
}

/**
 * Under a key it can be sent again after an answer was lost, which the client does not know. What a busy
 * server did not do in time is sent again alone.
 */
async function untilSent(
  send: () => PromiseLike<unknown>,
  alone: <T>(work: () => PromiseLike<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  for (let retries = 0; ; retries += 1) {
    try {
      await (retries === 0 ? send() : alone(send))
      return
    } catch (error) {
      if (!mayPass(error) || retries === maxRetries) throw error
    }
    await setTimeout(500 * 2 ** retries, undefined, { signal })
  }
}

/** Of a document of another kind the service says what to save it as. */
const hasText = ({ code, detail }: ProblemError): boolean =>
  code === 'payload_too_large' ||
  (code === 'unsupported_media_type' && / (?:Save|Export) it as /.test(detail))

const mayPass = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 503 || error.status === 504
    : error instanceof ConnectionError && !(error instanceof TimeoutError)
