import { createParser } from 'eventsource-parser'
import { client as defaultClient } from '../../generated/client.gen.ts'
import type { Options } from '../../generated/sdk.gen.ts'
import { queryAgent } from '../../generated/sdk.gen.ts'
import type { AgentEvent, QueryAgentData } from '../../generated/types.gen.ts'

/** What comes of a stream: `sources`, then `answer` and `citation`, and last `done`. */
export type StreamedEvent = Exclude<AgentEvent, { type: 'error' }>

/**
 * Asks an agent, and gives the events of its answer as they come. `break` ends the answer, and so does
 * an abort of `signal`. Nothing is ever sent again.
 * @throws the Problem, whether it is the whole answer or its last event; an Error where the stream breaks off
 */
export async function* streamAgent(
  options: Options<QueryAgentData>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { signal } = options
  const { fetch = globalThis.fetch } = (options.client ?? defaultClient).getConfig()
  const { data } = await queryAgent({
    ...options,
    // Node.js forgets the signal of a Request whose memory it reclaims (nodejs/undici#3644), not that of `fetch`.
    ...(signal && { fetch: (request) => (options.fetch ?? fetch)(request, { signal }) }),
    body: { ...options.body, streaming: true },
    parseAs: 'stream',
    throwOnError: true,
  })
  yield* streamedEvents(data as unknown as ReadableStream<Uint8Array>)
}

/**
 * The events of the body of an answer in a stream.
 * @throws as `streamAgent` does
 */
export async function* streamedEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  for await (const event of readEvents(body)) {
    if (event.type === 'error') throw event.problem
    yield event
    if (event.type === 'done') return
  }
  throw new Error('The stream broke off before its end.')
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<AgentEvent> {
  // Not every browser iterates over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read: AgentEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => read.push(JSON.parse(data)) })
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A line that ends in CR is only whole once no LF follows it.
      if (done && !text.endsWith('\r')) return
      text = done ? '\n' : decoder.decode(value, { stream: true })
      parser.feed(text)
      yield* read.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
