import { type StreamedEvent, streamedEvents } from '../../generated/stream-agent.gen.ts'
import type { QueryAgentData } from '../../generated/types.gen.ts'
import { queryAgent } from '../../generated/sdk.gen.ts'
import { Methods } from './methods.gen.ts'
import type { CallOptions } from './requests.ts'

/** The service, by its address and a key: one method for each operation of the contract. */
export class AgentsDatastores extends Methods {
  /** Asks an agent, and gives the events of its answer as they come. `break` ends the answer. */
  streamAgent(
    id: string,
    body: Omit<QueryAgentData['body'], 'streaming'>,
    options?: CallOptions<QueryAgentData>,
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    const sent = { path: { id }, body: { ...body, streaming: true }, parseAs: 'stream' } as const
    return this.sendStream(
      { sender: queryAgent, repeat: 'never', ...sent },
      streamedEvents,
      options,
    )
  }
}

export * from '../../generated/types.gen.ts'
export type { StreamedEvent } from '../../generated/stream-agent.gen.ts'
export type { AttemptDetails, Logger } from './attempt-log.ts'
export type { Answer, Call, PagedCall } from './call.ts'
export { ConnectionError, ProblemError, TimeoutError, UnexpectedAnswerError } from './errors.ts'
export type { FileForm, FileSource } from './files.ts'
export type { QueryOf } from './query.ts'
export type { CallOptions } from './requests.ts'
export type { Settings } from './settings.ts'
