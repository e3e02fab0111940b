import type { Answer, EventsAnswer, ServerEvent } from '../../handlers/handler.ts'

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
