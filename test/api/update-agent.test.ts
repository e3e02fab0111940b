import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: the given fields change, the others keep their value', async () => {
  const agent = await makeAgent(client, { modelName: 'gpt_4', temperature: 0.5, userPrompt: 'Hi' })
  const body = { description: 'New.', visibility: 'public' as const, temperature: 0 }
  const { data } = await sdk.updateAgent({ client, path: { id: agent.id }, body })
  expect(data).toEqual({ ...agent, ...body })
  const { data: got } = await sdk.getAgent({ client, path: { id: agent.id } })
  expect(got).toEqual(data)
})

test('200: the ETag moves with every change, and If-Match takes it, a list of tags or *', async () => {
  const { id } = await makeAgent(client)
  const change = (ifMatch?: string) =>
    sdk.updateAgent({
      client,
      path: { id },
      body: { description: 'New.' },
      ...(ifMatch !== undefined && { headers: { 'If-Match': ifMatch } }),
    })
  const first = (await sdk.getAgent({ client, path: { id } })).response?.headers.get('etag') ?? ''
  const second = (await change(first)).response?.headers.get('etag') ?? ''
  expect(second).not.toBe(first)
  expect((await change(`"other", ${second}`)).response?.status).toBe(200)
  expect((await change('*')).response?.status).toBe(200)
  expect((await change()).response?.status).toBe(200)
})

test('412: a tag that is old, or weak', async () => {
  const { id } = await makeAgent(client)
  const etag = (await sdk.getAgent({ client, path: { id } })).response?.headers.get('etag') ?? ''
  for (const tag of ['"old"', `W/${etag}`]) {
    const { response, error } = await sdk.updateAgent({
      client,
      path: { id },
      headers: { 'If-Match': tag },
      body: { description: 'New.' },
    })
    expect([response?.status, error?.code]).toEqual([412, 'precondition_failed'])
  }
})

test('412: of sixteen updates with one If-Match, one wins', async () => {
  const { id } = await makeAgent(client)
  const tag = (await sdk.getAgent({ client, path: { id } })).response?.headers.get('etag') ?? ''
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      sdk.updateAgent({
        client,
        path: { id },
        headers: { 'If-Match': tag },
        body: { description: `Writer ${n}` },
      }),
    ),
  )
  const statuses = answers.map(({ response }) => response?.status).toSorted()
  expect(statuses).toEqual([200, ...Array(15).fill(412)])
})

test('200: without If-Match no change is lost', async () => {
  const { id } = await makeAgent(client)
  const fields = ['name', 'systemPrompt', 'userPrompt', 'promptTemplate'] as const
  await Promise.all(
    fields.map((field) =>
      sdk.updateAgent({ client, path: { id }, body: { description: 'd', [field]: field } }),
    ),
  )
  const { data } = await sdk.getAgent({ client, path: { id } })
  for (const field of fields) expect(data?.[field]).toBe(field)
})

test('400: description is required, and each bad field is named', async () => {
  const { id } = await makeAgent(client)
  const places = async (body: object) =>
    placesOf(await send(url, 'PATCH', `/agents/${id}`, { body: JSON.stringify(body) }))
  expect(await places({ name: 'x' })).toEqual(['/description'])
  expect(
    await places({
      id: 'mine',
      description: 1,
      temperature: 1.01,
      visibility: 'secret',
      modelName: 'gpt_5',
      promptType: 'chat',
    }),
  ).toEqual(
    expect.arrayContaining([
      '/id',
      '/description',
      '/temperature',
      '/visibility',
      '/modelName',
      '/promptType',
    ]),
  )
})

test.each(['no-quotes', ',*', '*,', '*, "1"', '"1", *', '**', ',', '"1" "2"', 'W/1'])(
  '400: an If-Match that is no list of tags, %s',
  async (tags) => {
    const { id } = await makeAgent(client)
    const response = await send(url, 'PATCH', `/agents/${id}`, {
      body: '{"description":"x"}',
      headers: { 'if-match': tags },
    })
    expect([response.status, await placesOf(response)]).toEqual([400, ['/header/if-match']])
  },
)

test.each(['*', ' * ', '"1"', ',"1",', '"0" ,, W/"2", "1"'])(
  '200: an If-Match that holds the tag, %s',
  async (tags) => {
    const { id } = await makeAgent(client)
    const response = await send(url, 'PATCH', `/agents/${id}`, {
      body: '{"description":"x"}',
      headers: { 'if-match': tags },
    })
    expect(response.status).toBe(200)
  },
)

test('200: an agent that was got is changed and sent back whole', async () => {
  const { id } = await makeAgent(client, { temperature: 0.5, systemPrompt: 'Be kind.' })
  const { data: got } = await sdk.getAgent({ client, path: { id }, throwOnError: true })
  const body = { ...got, temperature: 0.25 }
  expect((await sdk.updateAgent({ client, path: { id }, body })).data).toEqual(body)
  const { data: same } = await sdk.updateAgent({ client, path: { id }, body: { ...got, id } })
  expect(same).toEqual(got)
})

test.each(['agt_other', '', ' '])(
  '400: the id %j of another agent, and nothing changes',
  async (other) => {
    const agent = await makeAgent(client)
    const path = `/agents/${agent.id}`
    const body = JSON.stringify({ ...agent, id: other, name: 'New' })
    const response = await send(url, 'PATCH', path, { body })
    expect([response.status, await placesOf(response)]).toEqual([400, ['/id']])
    const { data } = await sdk.getAgent({ client, path: { id: agent.id } })
    expect(data).toEqual(agent)
  },
)

test('404: an unknown agent', async () => {
  const body = { description: 'x' }
  const { response } = await sdk.updateAgent({ client, path: { id: 'agt_unknown' }, body })
  expect(response?.status).toBe(404)
})
