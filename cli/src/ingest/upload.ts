import { setTimeout } from 'node:timers/promises'
import {
  type AgentsDatastores,
  ConnectionError,
  ProblemError,
  TimeoutError,
} from '../../../client/src/index.ts'
import { type IsDocumentFailure, documentFailuresIn } from '../document-failure.ts'
import type { Content } from './file-content.ts'
import type { FoundFile } from './found-file.ts'
import type { Metadata } from './provenance.ts'

/** What ingest does to a datastore. */
export type Store = {
  /** Puts a file under its key, durably. Answers why it is not taken, or undefined when it is stored. */
  upload: (
    file: FoundFile,
    content: Content,
    metadata: Metadata,
    signal: AbortSignal,
  ) => Promise<Refusal | undefined>
  rename: (id: string, name: string, signal: AbortSignal) => Promise<void>
  isDocumentFailure: IsDocumentFailure
}

/** `isText` tells that the file has text, which the service would read if it were shorter or of another kind. */
export type Refusal = { reason: string; isText: boolean }

/** Waits for a server that is overloaded or restarts, because an ingest takes long anyway. */
export const maxRetries = 5

/** The service reads no such file, so it is ignored. */
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
    isDocumentFailure: documentFailuresIn(client, datastoreId),
  }
}

/**
 * A file under a key may be sent again after an answer was lost, which the client does not know. A retry is sent
 * alone, to spare a busy server.
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
      if (!isTransient(error) || retries === maxRetries) throw error
    }
    await setTimeout(500 * 2 ** retries, undefined, { signal })
  }
}

/** The service tells as what to save a document of another kind. */
const hasText = ({ code, detail }: ProblemError): boolean =>
  code === 'payload_too_large' ||
  (code === 'unsupported_media_type' && / (?:Save|Export) it as /.test(detail))

const isTransient = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 503 || error.status === 504
    : error instanceof ConnectionError && !(error instanceof TimeoutError)

/** Runs works one after the other. */
function oneAtATime(): <T>(work: () => PromiseLike<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
