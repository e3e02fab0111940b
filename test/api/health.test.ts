import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, joinServer } from '../support/server.ts'

const { url } = await joinServer()
const client = checkedClient(url, '')

test('getLiveness and getReadiness: 200 without a key', async () => {
  expect((await sdk.getLiveness({ client })).data).toEqual({ status: 'ok' })
  expect((await sdk.getReadiness({ client })).data).toEqual({ status: 'ok', store: 'file' })
})
