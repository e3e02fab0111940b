import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url } = await startServer()
const create = (by: typeof client, body: CreateKey) => sdk.createKey({ client: by, body })

test('201: a key that works, in the caller’s workspace, without an end', async () => {
  const body = { name: 'website', scopes: [Scope.AGENTS_READ] }
  const { data, response } = await create(client, body)
  expect(data).toMatchObject({
    ...body,
    workspace: 'default',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  })
  expect(data?.key).toMatch(new RegExp(`^ads_${data?.id}_[0-9a-f]{48}$`))
  expect(response?.headers.get('location')).toBe(`/keys/${data?.id}`)
  const { response: used } = await sdk.listAgents({ client: checkedClient(url, data?.key) })
  expect(used?.status).toBe(200)
})

test('403: a key gives no scope that it has not itself', async () => {
  const { key } = await makeKey(client, { scopes: [Scope.KEYS_ADMIN, Scope.AGENTS_READ] })
  const narrow = checkedClient(url, key)
  const given = await create(narrow, { name: 'x', scopes: [Scope.AGENTS_READ] })
  expect(given.response?.status).toBe(201)
  const scopes = [Scope.AGENTS_READ, Scope.AGENTS_WRITE, Scope.DATASTORES_READ]
  const { response, error } = await create(narrow, { name: 'x', scopes })
  expect(response?.status).toBe(403)
  const lacking = 'agents:write, datastores:read'
  expect(error?.detail).toBe(`A key gives only scopes that it has; this one lacks ${lacking}.`)
})

test('201 for any workspace by a key of default, 403 by a key of another', async () => {
  const scopes = [Scope.KEYS_ADMIN]
  const { key } = await makeKey(client, { scopes, workspace: 'ann' })
  const ann = checkedClient(url, key)
  expect((await create(ann, { name: 'own', scopes })).data?.workspace).toBe('ann')
  expect((await create(ann, { name: 'own', scopes, workspace: 'ann' })).response?.status).toBe(201)
  for (const workspace of ['bob', 'default']) {
    const { response } = await create(ann, { name: 'x', scopes, workspace })
    expect(response?.status).toBe(403)
  }
})

const scopes = [Scope.AGENTS_READ]
const places = async (fields: object) => {
  const { error } = await create(client, { name: 'x', scopes, ...fields })
  return [...new Set(error?.errors?.map(({ pointer }) => pointer))]
}

test.each([
  ['passed', '2020-01-01T00:00:00Z'],
  ['a leap second to come', '2099-12-31T23:59:60Z'],
  ['a leap second elsewhere', '2100-01-01T00:59:60+01:00'],
  ['in the year 10000', '9999-12-31T23:59:59-23:59'],
  ['no time', 'tomorrow'],
  ['with a blank for the T', '2099-12-31 23:59:59Z'],
  ['with a tab for the T', '2099-12-31\t23:59:59Z'],
  ['without an offset', '2099-12-31T23:59:59'],
  ['with an offset without a colon', '2099-12-31T23:59:59+0100'],
  ['with an offset of hours alone', '2099-12-31T23:59:59+01'],
  ['a date alone', '2099-12-31'],
  ['in a month there is not', '2099-13-31T23:59:59Z'],
  ['empty', ''],
])('400: an end that is %s', async (_, expiresAt) => {
  expect(await places({ expiresAt })).toEqual(['/expiresAt'])
})

test('400: an offset of another form is told what to send', async () => {
  for (const offset of ['+0100', '+01', '-01']) {
    const { error } = await create(client, {
      name: 'x',
      scopes,
      expiresAt: `2099-01-01T00:00:00${offset}`,
    })
    const detail = expect.stringContaining('such as 2099-01-31T09:00:00Z')
    expect(error?.errors).toEqual([{ pointer: '/expiresAt', detail }])
  }
})

test('400: an end or a workspace of another form is told what to send', async () => {
  const { error } = await create(client, {
    name: 'x',
    scopes,
    expiresAt: '2099-01-01',
    workspace: 'Ann',
  })
  const told = Object.fromEntries(error?.errors?.map((one) => [one.pointer, one.detail]) ?? [])
  expect(told).toEqual({
    '/expiresAt': expect.stringContaining('such as 2099-01-31T09:00:00Z'),
    '/workspace': expect.stringContaining('the letters a to z'),
  })
})

test.each([
  ['2099-12-31t23:59:59z', '2099-12-31T23:59:59.000Z'],
  ['2099-12-31T23:59:59.5+02:00', '2099-12-31T21:59:59.500Z'],
  ['2096-02-29T00:00:00-00:30', '2096-02-29T00:30:00.000Z'],
])('201: an end as RFC 3339 writes it, %s', async (expiresAt, kept) => {
  expect((await makeKey(client, { scopes, expiresAt })).expiresAt).toBe(kept)
})

test('400: scopes there are not, a workspace of another form', async () => {
  expect(await places({ scopes: [] })).toEqual(['/scopes'])
  expect(await places({ scopes: ['agents:read', 'agents:own'] })).toEqual(['/scopes/1'])
  expect(await places({ workspace: 'Ann' })).toEqual(['/workspace'])
  expect(await places({ workspace: '' })).toEqual(['/workspace'])
})
