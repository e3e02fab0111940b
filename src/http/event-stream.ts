import { once } from 'node:events'
import type { Request, Response } from 'express'
import type { ServiceError } from '../errors/errors.ts'
import type { ServerEvent } from '../handlers/handler.ts'
import type { Deadline } from '../process/deadline.ts'
import { problemOf } from './problem.ts'

const commentMilliseconds = 10_000
const mediaType = 'text/event-stream'

/** Sends events up to `done`, once the first is there, each within the deadline. @throws what they throw */
export async function sendEvents(
  response: Response,
  events: AsyncIterable<ServerEvent>,
  deadline: Deadline,
): Promise<void> {
  for await (const event of events) {
    deadline.pause()
    if (isOver(response)) return
    if (!response.headersSent) begin(response)
    if (event.type === 'done') {
      response.end(toText(event))
      return
    }
    if (!response.write(toText(event))) await drained(response)
    deadline.startPart()
  }
  throw new Error('The events ended without an end.')
}

export const isEventStream = (response: Response): boolean =>
  response.headersSent && String(response.get('Content-Type')).startsWith(mediaType)

/** Ends the stream with an `error` event, unless it has already ended. */
export function endWithProblem(error: ServiceError, request: Request, response: Response): void {
  if (isOver(response)) return
  const event = { type: 'error', problem: problemOf(error, request, response) }
  response.end(toText(event))
}

const isOver = (response: Response): boolean => response.writableEnded || response.destroyed

/** Clients that split lines like Python's `splitlines` end lines here too. */
const otherLineEnds = /[\u0085\u2028\u2029]/g

function toText(event: ServerEvent): string {
  const json = JSON.stringify(event).replace(
    otherLineEnds,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `event: ${event.type}\ndata: ${json}\n\n`
}

function begin(response: Response): void {
  // Some proxies would wait for the whole answer.
  response.set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'X-Accel-Buffering': 'no' })
  const comments = setInterval(() => {
    if (!isOver(response) && !response.writableNeedDrain) response.write(':\n\n')
  }, commentMilliseconds)
  response.once('close', () => clearInterval(comments))
}

/** Waits for the reader. `UnreadAnswers` closes the connection of a client that reads nothing. */
async function drained(response: Response): Promise<void> {
  response.emit('blocked')
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    await Promise.race(['drain', 'close'].map((name) => once(response, name, { signal })))
  } finally {
    waiting.abort()
  }
}
