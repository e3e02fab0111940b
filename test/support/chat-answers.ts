import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { ChatMessage } from '../../src/chat/chat-model.ts'

export type ChatCall = {
  authorization: string | undefined
  body: {
    model: string
    messages: ChatMessage[]
    temperature?: number
    stream: boolean
    stream_options?: { include_usage: boolean }
  }
}

/** How a stand-in answers; undefined lets it answer well. */
export type ChatBehaviour = (call: ChatCall, response: ServerResponse) => unknown

export const standInAnswer = 'The library opens at nine in the morning [1].'

/** A chunk as OpenAI's API gave it. */
const chunk = ({ body }: ChatCall, rest: object): object => ({
  id: 'chatcmpl-CfqUjm1pqJ9q5gGmB1xw6Nd0E4Xyz',
  object: 'chat.completion.chunk',
  created: 1764060000,
  model: `${body.model}-2026-08-07`,
  service_tier: 'default',
  system_fingerprint: 'fp_560af6e559',
  ...rest,
  obfuscation: 'Fh3Vt',
})

const choice = (delta: object, finishReason: string | null) => ({
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  usage: null,
})

export const delta = (call: ChatCall, content: string): object =>
  chunk(call, choice({ content }, null))

export const finish = (call: ChatCall, reason = 'stop'): object => chunk(call, choice({}, reason))

const usage = { prompt_tokens: 58, completion_tokens: 12, total_tokens: 70 }

/** All of an answer, as OpenAI's API gave it: the role first, words, the end, and what it took. */
export const recordedChunks = (call: ChatCall, answer = standInAnswer): object[] => [
  chunk(call, choice({ role: 'assistant', content: '', refusal: null }, null)),
  ...(answer.match(/\S+\s*|\s+/g) ?? []).map((word) => delta(call, word)),
  finish(call),
  ...(call.body.stream_options ? [chunk(call, { choices: [], usage })] : []),
]

export const toEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

export function beginEvents(response: ServerResponse): void {
  // Who asked may hang up.
  response.on('error', () => undefined)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** Writes in pieces that keep no boundary, not even those of characters. */
export async function writePieces(response: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length && !response.destroyed; at += 101) {
    if (!response.write(bytes.subarray(at, at + 101))) {
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    await setImmediate()
  }
}

/** A whole answer, or the answer that these chunks are. */
export async function sendAnswer(
  call: ChatCall,
  response: ServerResponse,
  answer: string | object[] = standInAnswer,
): Promise<void> {
  const chunks = typeof answer === 'string' ? recordedChunks(call, answer) : answer
  beginEvents(response)
  await writePieces(response, `${chunks.map(toEvent).join('')}data: [DONE]\n\n`)
  response.end()
}
