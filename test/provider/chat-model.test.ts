import { describe, expect, test } from 'vitest'
import type { ChatDelta } from '../../src/chat/chat-model.ts'
import { openChatModel } from '../../src/chat/open-chat-model.ts'
import type { ChatConfig } from '../../src/config.ts'
import { Provider } from '../support/provider.ts'
import { standInAnswer } from '../support/chat-answers.ts'
import { faultsBefore, faultsWithin, lateBefore, lateWithin } from '../support/chat-faults.ts'

const provider = await Provider.start()

async function ask(
  config: ChatConfig = provider.chat,
): Promise<{ deltas: ChatDelta[]; error?: unknown }> {
  const { chat } = await openChatModel(config)
  const deltas: ChatDelta[] = []
  try {
    const messages = [{ role: 'user' as const, content: 'When?' }]
    for await (const delta of chat!.complete(
      { modelName: 'gpt_4', temperature: 0.5, messages },
      new AbortController().signal,
    ))
      deltas.push(delta)
    return { deltas }
  } catch (error) {
    return { deltas, error }
  }
}

test('well', async () => {
  const { deltas, error } = await ask()
  expect(error).toBeUndefined()
  expect(
    deltas
      .slice(0, -1)
      .map((d) => d.type === 'delta' && d.text)
      .join(''),
  ).toBe(standInAnswer)
  expect(deltas.at(-1)).toEqual({
    type: 'end',
    model: 'stand-in-chat-2026-08-07',
    finishReason: 'stop',
    usage: { inputTokens: 58, outputTokens: 12 },
  })
  expect(provider.chats).toMatchInlineSnapshot(`
    [
      {
        "authorization": "Bearer sk-canary-of-the-provider",
        "body": {
          "messages": [
            {
              "content": "When?",
              "role": "user",
            },
          ],
          "model": "stand-in-chat",
          "stream": true,
          "stream_options": {
            "include_usage": true,
          },
          "temperature": 0.5,
        },
      },
    ]
  `)
})

describe.each([
  ['before', [...faultsBefore, ...lateBefore]],
  ['within', [...faultsWithin, ...lateWithin]],
] as const)('%s', (when, faults) => {
  test.each(faults)('%s', async (_n, behaviour, status, words) => {
    provider.chatBehaviour = behaviour
    const { deltas, error } = await ask({ ...provider.chat, timeout: status === 504 ? 1 : 60 })
    expect(error).toMatchObject({
      code: status === 502 ? 'chat_failed' : 'chat_timeout',
      message: expect.stringContaining(words),
    })
    expect(deltas.length > 0).toBe(when === 'within')
    await expect.poll(() => provider.openChats).toBe(0)
  })
})
