import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import {
  beginEvents,
  type ChatBehaviour,
  delta,
  finish,
  recordedChunks,
  sendAnswer,
  toEvent,
  writePieces,
} from './chat-answers.ts'
import { recordedError, sendJson } from './provider.ts'

/** A fault, the status of its Problem, and words of its detail. */
export type Fault = [string, ChatBehaviour, 502 | 504, string]

const failing =
  (status: number, error: unknown, headers = {}): ChatBehaviour =>
  (_call, response) =>
    sendJson(response, status, error, headers)
const overloaded = recordedError('server_error', null, 'The server is overloaded.')
const limited = recordedError('requests', 'rate_limit_exceeded', 'Rate limit reached.')
const invalidRequest = (code: string, message: string) =>
  recordedError('invalid_request_error', code, message)

async function writeForEver(response: ServerResponse, piece: string): Promise<void> {
  response.setMaxListeners(0)
  while (!response.destroyed) {
    if (!response.write(piece))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}

/** What goes wrong before there is an answer. */
export const faultsBefore: Fault[] = [
  ['reset', (_call, response) => response.destroy(), 502, 'could not be reached'],
  ['401', failing(401, invalidRequest('invalid_api_key', 'Wrong key.')), 502, 'answered 401'],
  ['404 model', failing(404, invalidRequest('model_not_found', 'None.')), 502, 'answered 404'],
  ['429 with Retry-After', failing(429, limited, { 'retry-after': '1' }), 502, 'answered 429'],
  ['429 without Retry-After', failing(429, limited), 502, 'answered 429'],
  ['500', failing(500, overloaded), 502, 'answered 500'],
  ['503', failing(503, overloaded), 502, 'answered 503'],
  [
    'a redirect',
    (_call, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/v1/chat/completions' }).end(),
    502,
    'answered 307',
  ],
  [
    'HTML',
    (_call, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>\n\n'),
    502,
    'gave no answer',
  ],
  [
    'JSON for a stream',
    (_call, response) => sendJson(response, 200, { choices: [{ message: { content: 'Nine.' } }] }),
    502,
    'gave no answer',
  ],
  [
    'nothing but its end',
    (call, response) => sendAnswer(call, response, []),
    502,
    'gave no answer',
  ],
  [
    'no text',
    (call, response) => sendAnswer(call, response, [delta(call, ''), finish(call)]),
    502,
    'gave an empty answer',
  ],
  [
    'numbers and null for text',
    (call, response) => {
      const odd = [null, 5, [], {}].map((content) => ({ choices: [{ delta: { content } }] }))
      const none = [{ choices: null }, { choices: [] }, {}]
      return sendAnswer(call, response, [...odd, ...none, finish(call)])
    },
    502,
    'gave an empty answer',
  ],
  [
    'withheld',
    (call, response) => sendAnswer(call, response, [finish(call, 'content_filter')]),
    502,
    'withheld its answer',
  ],
  [
    'huge',
    (_call, response) => {
      beginEvents(response)
      return writeForEver(response, `data: ${' '.repeat(1024 * 1024)}`)
    },
    502,
    'too long an answer',
  ],
]

const begun =
  (goOn: ChatBehaviour): ChatBehaviour =>
  async (call, response) => {
    beginEvents(response)
    const chunks = recordedChunks(call).slice(0, 4)
    await writePieces(response, chunks.map(toEvent).join(''))
    await goOn(call, response)
  }

/** What goes wrong after an answer began. */
export const faultsWithin: Fault[] = [
  ['reset', begun((_call, response) => response.destroy()), 502, 'broke off its answer'],
  ['an end without a reason', begun((_call, response) => response.end()), 502, 'broke off'],
  [
    'an end that is only said',
    begun((_call, response) => response.end('data: [DONE]\n\n')),
    502,
    'broke off its answer',
  ],
  [
    'an error among the data',
    begun((_call, response) => response.end(toEvent(overloaded))),
    502,
    'broke off its answer',
  ],
  [
    'an event that is an error',
    begun((_call, response) => response.end(`event: error\n${toEvent({ message: 'No.' })}`)),
    502,
    'broke off its answer',
  ],
  [
    'cut JSON',
    begun((call, response) => response.end(`${toEvent(finish(call)).slice(0, 90)}\n\n`)),
    502,
    'broke off its answer',
  ],
  ['HTML', begun((_call, response) => response.end('<!doctype html>\n\n')), 502, 'broke off'],
  [
    'withheld',
    begun((call, response) => response.end(toEvent(finish(call, 'content_filter')))),
    502,
    'withheld its answer',
  ],
  [
    'a tool that nobody gave it',
    begun((call, response) => response.end(toEvent(finish(call, 'tool_calls')))),
    502,
    'broke off its answer',
  ],
  [
    'a piece that never ends',
    begun((_call, response) => writeForEver(response, `data: ${' '.repeat(1024 * 1024)}`)),
    502,
    'too long an answer',
  ],
  [
    'an answer that never ends',
    begun((call, response) => writeForEver(response, toEvent(delta(call, 'x'.repeat(10_000))))),
    502,
    'too long an answer',
  ],
  [
    'nothing but comments for ever',
    begun((_call, response) => writeForEver(response, `: ${'x'.repeat(500_000)}\n\n`)),
    502,
    'too long an answer',
  ],
]

const dribble: ChatBehaviour = (_call, response) => {
  const timer = setInterval(() => response.write(': still here\n\n'), 100)
  response.once('close', () => clearInterval(timer))
}

/** Who waits longer than it may. */
export const lateBefore: Fault[] = [
  ['never begins', () => undefined, 504, 'within 1 seconds'],
  [
    'has only comments',
    (call, response) => {
      beginEvents(response)
      return dribble(call, response)
    },
    504,
    'within 1 seconds',
  ],
]
export const lateWithin: Fault[] = [['only comments', begun(dribble), 504, 'within 1 seconds']]
