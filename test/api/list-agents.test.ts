import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: pages follow each other, oldest first, with nothing twice and nothing missing', async () => {
  const made: string[] = []
  for (let n = 0; n < 7; n++) made.push((await makeAgent(client, { name: `Agent ${n}` })).id)
  const seen: string[] = []
  let cursor: string | undefined
  for (;;) {
    const { data } = await sdk.listAgents({
      client,
      query: { limit: 3, ...(cursor && { cursor }) },
      throwOnError: true,
    })
    seen.push(...data.data.map(({ id }) => id))
    await makeAgent(client, { name: 'Made while listing' })
    if (data.nextCursor === null || seen.length >= made.length) break
    cursor = data.nextCursor
  }
  expect(seen.slice(0, made.length)).toEqual(made)
})

test('200: agents made at once are all listed once, and the last page has no cursor', async () => {
  await Promise.all(Array.from({ length: 12 }, () => makeAgent(client)))
  const { data: all } = await sdk.listAgents({ client, query: { limit: 100 }, throwOnError: true })
  expect(all.nextCursor).toBeNull()
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data } = await sdk.listAgents({
      client,
      query: { limit: 4, ...(cursor && { cursor }) },
      throwOnError: true,
    })
    seen.push(...data.data.map(({ id }) => id))
    cursor = data.nextCursor
  }
  expect(seen).toEqual(all.data.map(({ id }) => id))
})

test('400: a limit out of range, and a cursor that was not made here', async () => {
  for (const limit of ['0', '101', '2.5', 'x', '']) {
    expect(await placesOf(await send(url, 'GET', `/agents?limit=${limit}`))).toContain(
      '/query/limit',
    )
  }
  expect(await placesOf(await send(url, 'GET', '/agents?limit=1&limit=2'))).toContain(
    '/query/limit',
  )
  for (const cursor of [
    'nonsense',
    '%27',
    'MjAyNg',
    Buffer.from("' OR 1=1 x").toString('base64url'),
  ]) {
    expect(await placesOf(await send(url, 'GET', `/agents?cursor=${cursor}`))).toContain(
      '/query/cursor',
    )
  }
})

test('400: an empty cursor is told what the first page takes', async () => {
  const response = await send(url, 'GET', '/agents?cursor=')
  const { errors } = (await response.json()) as { errors?: object[] }
  const detail = expect.stringContaining('leave it out for the first page')
  expect([response.status, errors]).toEqual([400, [{ pointer: '/query/cursor', detail }]])
})
