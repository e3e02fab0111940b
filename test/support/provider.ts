import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import type { ChatConfig, EmbeddingConfig } from '../../src/config/config.ts'
import { type ChatBehaviour, type ChatCall, sendAnswer } from './chat-answers.ts'

export type EmbeddingsCall = {
  url: string
  authorization: string | undefined
  body: { model: string; input: string[]; encoding_format: string; dimensions?: number }
}

/** How a stand-in answers a call; undefined lets it answer well. */
export type Behaviour = (call: EmbeddingsCall, response: ServerResponse) => unknown

/** A vector of five numbers that differs from text to text. */
export function vectorOf(input: string): number[] {
  const sums = [1, 0, 0, 0, 0]
  for (let index = 0; index < input.length; index++) {
    sums[index % 5]! += (input.charCodeAt(index) % 97) / 97
  }
  return sums
}

/** The answer as OpenAI's API gave it, recorded except for the vectors. */
export const recorded = ({ body }: EmbeddingsCall, vectors = body.input.map(vectorOf)) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: body.model,
  usage: { prompt_tokens: 8, total_tokens: 8 },
})

/** An error as OpenAI's API gave it. */
export const recordedError = (type: string, code: string | null, message: string) => ({
  error: { message, type, param: null, code },
})

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** A local server that speaks OpenAI's protocols, and misbehaves when it is told to. */
export class Provider {
  readonly calls: EmbeddingsCall[] = []
  behaviour: Behaviour | undefined
  readonly chats: ChatCall[] = []
  chatBehaviour: ChatBehaviour | undefined
  /** How many answers of chat models it is still asked for. */
  openChats = 0
  /** How many calls it was answering at once, at most. */
  mostAtOnce = 0
  #running = 0
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  static async start(): Promise<Provider> {
    const provider = new Provider()
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    afterAll(() => {
      provider.#server.closeAllConnections()
      provider.#server.close()
    })
    return provider
  }

  get settings(): EmbeddingConfig {
    const { port } = this.#server.address() as AddressInfo
    return {
      model: 'stand-in-5',
      apiKey: 'sk-canary-of-the-provider',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      dimensions: undefined,
      timeout: 60,
    }
  }

  get chat(): ChatConfig {
    const model = 'stand-in-chat'
    const { apiKey, baseUrl } = this.settings
    return {
      models: { gpt_3_5_turbo: model, gpt_3_5_turbo_16k: model, gpt_4: model, gpt_4_32k: model },
      apiKey,
      baseUrl,
      keyName: 'CHAT_API_KEY',
      urlName: 'CHAT_BASE_URL',
      timeout: 60,
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/chat/completions') await this.#chat(request, response)
    else await this.#embed(request, response)
  }

  async #chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.openChats++
    response.once('close', () => this.openChats--)
    const { authorization } = request.headers
    const call: ChatCall = { authorization, body: JSON.parse(await text(request)) }
    this.chats.push(call)
    if (this.chatBehaviour) await this.chatBehaviour(call, response)
    else await sendAnswer(call, response)
  }

  async #embed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#running)
    response.once('close', () => this.#running--)
    const call: EmbeddingsCall = {
      url: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(await text(request)),
    }
    this.calls.push(call)
    if (this.behaviour) this.behaviour(call, response)
    else sendJson(response, 200, recorded(call))
  }
}
