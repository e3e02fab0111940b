import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'

const { client, url } = await joinServer()

test('201: what is left out takes its default', async () => {
  const body = { name: 'Librarian', description: 'Answers.' }
  const { data, response } = await sdk.createAgent({ client, body })
  expect(data).toEqual({
    id: expect.any(String),
    ...body,
    modelName: 'gpt_3_5_turbo',
    temperature: 0,
    visibility: 'private',
    systemPrompt: '',
    userPrompt: '',
    promptType: 'raw',
    promptTemplate: '',
  })
  expect(response?.headers.get('location')).toBe(`/agents/${data?.id}`)
})

test('201: what is given is kept', async () => {
  const body = {
    name: "O'Hara \u0000 👩‍🔬",
    description: '',
    modelName: 'gpt_4_32k' as const,
    temperature: 0.123456789,
    visibility: 'public' as const,
    systemPrompt: 'Line\nbreak "quoted" \\ \' ; --',
    userPrompt: 'x'.repeat(131_072),
    promptType: 'customer_support' as const,
    promptTemplate: '{query}',
  }
  const { data } = await sdk.createAgent({ client, body, throwOnError: true })
  const { data: got } = await sdk.getAgent({ client, path: { id: data.id } })
  expect(got).toEqual({ id: data.id, ...body })
})

test('400: name and description are needed', async () => {
  expect(await placesOf(await send(url, 'POST', '/agents', { body: '{}' }))).toEqual(
    expect.arrayContaining(['/name', '/description']),
  )
})
