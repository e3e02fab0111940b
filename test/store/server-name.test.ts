import { hostname } from 'node:os'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { storeKind } from '../../src/config/config-values.ts'
import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/process/log.ts'
import { samplesOf } from '../support/metrics.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'

test.each([
  [{}, undefined],
  [{ DATA_URI: 's3://bucket/store' }, hostname()],
  [{ DATA_URI: 'AZ://container' }, hostname()],
  [{ DATA_URI: 's3://bucket/store', SERVER_NAME: 'b-2.search' }, 'b-2.search'],
  [{ SERVER_NAME: 'a' }, 'a'],
])('%o names the server %s', (settings, name) => {
  expect(readConfig(settings).serverName).toBe(name)
})

test('a SERVER_NAME that would end a line stops the start', () => {
  expect(() => readConfig({ SERVER_NAME: 'a\nb' })).toThrow('SERVER_NAME must be')
})

test.each([
  ['b', { server: 'b', msg: 'stopped' }],
  [undefined, { msg: 'stopped' }],
])('a line of the log of the server %s', (name, line) => {
  const lines: string[] = []
  createLog('info', { write: (text) => lines.push(text) }, name).info('stopped')
  const { level, time, ...rest } = JSON.parse(lines[0]!)
  expect([level, typeof time, rest]).toEqual([30, 'string', line])
})

test.each([
  ['b', [{ server: 'b' }]],
  [undefined, []],
])('the metrics of the server %s', async (serverName, labels) => {
  const dataUri = pathToFileURL(await temporaryDirectory()).href
  const { client } = await startServer({ dataUri, ...(serverName && { serverName }) })
  const { data } = await sdk.getMetrics({ client, throwOnError: true })
  const named = samplesOf(data).filter((one) => one.name === 'server_info')
  expect(named.map((one) => one.labels)).toEqual(labels)
})

test.each([
  ['/data', 'file'],
  ['/az/s3', 'file'],
  ['az://container/store', 'az'],
  ['S3://bucket', 's3'],
  ['gs://bucket/store', 'gs'],
])('a store at %s is of the kind %s', (dataUri, kind) => {
  expect(storeKind(dataUri)).toBe(kind)
})
