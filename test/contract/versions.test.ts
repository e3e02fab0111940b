import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { document, root } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url, logged } = await startServer()
const { version } = document.info

const ofPackage = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version

test('the contract and the packages have one version', () => {
  expect(['.', 'client', 'cli'].map(ofPackage)).toEqual([version, version, version])
})

test.each([
  ['GET', '/agents'],
  ['GET', '/nowhere'],
  ['GET', '/docs'],
  ['OPTIONS', '/agents'],
  ['POST', '/mcp'],
  ['DELETE', '/agents'],
])('%s %s is answered with the version of the contract', async (method, path) => {
  const { headers } = await fetch(url + path, { method })
  expect(headers.get('contract-version')).toBe(version)
})

test('what is no HTTP is answered with the version of the contract, too', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('nonsense\r\n\r\n')
  expect(await text(socket)).toContain(`\r\nContract-Version: ${version}\r\n`)
})

describe('what is deprecated', () => {
  const agent = { name: 'Librarian', description: 'Answers.' }
  const create = (body: object, headers = {}) =>
    send(url, 'POST', '/agents', { body: JSON.stringify(body), headers })

  test.each(['promptType', 'promptTemplate'])(
    '%s is told of, since when and where to look',
    async (name) => {
      const value = { promptType: 'raw', promptTemplate: '' }[name]
      const { headers } = await create(
        { ...agent, [name]: value },
        { 'x-forwarded-prefix': '/api' },
      )
      const since = Date.parse(
        document.components.schemas.CreateAgent.properties[name]['x-deprecated-since'],
      )
      expect(headers.get('deprecation')).toBe(`@${since / 1000}`)
      expect(headers.get('link')).toBe(
        '</api/docs#/agents/createAgent>; rel="deprecation"; type="text/html"',
      )
    },
  )

  test('is not told of where it is not used', async () => {
    const { headers } = await create(agent)
    expect([headers.get('deprecation'), headers.get('link')]).toEqual([null, null])
  })

  test('is logged once for each key that uses it', async () => {
    const { id, key } = await makeKey(client, { scopes: ['agents:write'] })
    const before = logged.length
    for (let round = 0; round < 3; round++) {
      const headers = { authorization: `Bearer ${key}` }
      await create({ ...agent, promptType: 'raw' }, headers)
    }
    const lines = () => logged.slice(before).filter((line) => 'deprecated' in line)
    await expect.poll(lines).toHaveLength(1)
    expect(lines()).toMatchObject([
      { operationId: 'createAgent', keyId: id, deprecated: 'promptType' },
    ])
  })
})
