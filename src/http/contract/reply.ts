import type { Answer, EventsAnswer, ServerEvent } from '../../handlers/handler.ts'

/** A handler, as whoever calls any of them sees it. */
export type AnyHandler = (
  request: unknown,
  reply: typeof anyReply,
) => Promise<Answer | EventsAnswer>

const toAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body,
  headers,
})

export const anyReply = Object.assign(toAnswer, {
  events: (events: AsyncIterable<ServerEvent>): EventsAnswer => ({ events }),
})
