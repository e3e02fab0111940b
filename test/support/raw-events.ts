import type { AgentEvent, QueryAgent } from '../../generated/types.gen.ts'
import { operationFor } from './contract.ts'
import { checkedEvents } from './contract-events.ts'
import { testKey } from './server.ts'

/** Everything that a stream sent. `isCut` if the connection broke. */
export type RawEvents = { events: AgentEvent[]; comments: number; isCut: boolean }

export type RawOptions = {
  signal?: AbortSignal
  /** Called with all that came so far, each time that an event has. */
  onEvent?: (seen: RawEvents) => void
  /** The same for comments. */
  onComment?: (seen: RawEvents) => void
}

/** Asks for a stream without the client, and reads on past its end. @throws what the contract does not allow */
export async function readEvents(
  url: string,
  agentId: string,
  body: QueryAgent,
  { signal, onEvent, onComment }: RawOptions = {},
): Promise<RawEvents> {
  const path = `/agents/${agentId}/query`
  const seen: RawEvents = { events: [], comments: 0, isCut: false }
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, streaming: true }),
      signal,
    })
    const checked = checkedEvents(operationFor('POST', path), response)
    for await (const block of blocksOf(checked.body!)) {
      if (block.startsWith(':')) {
        seen.comments++
        onComment?.(seen)
      } else {
        seen.events.push(JSON.parse(block.slice(block.indexOf('data: ') + 6)))
        onEvent?.(seen)
      }
    }
  } catch (error) {
    const { name } = error as Error
    if (name !== 'TypeError' && name !== 'AbortError') throw error
    seen.isCut = true
  }
  return seen
}

async function* blocksOf(body: NonNullable<Response['body']>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks
  }
}
