import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await joinServer()

const texts: Record<string, string> = {
  'of 100,000 characters': Array.from(
    { length: 2000 },
    (_, n) => `Sentence number ${n} of this long text is here. `,
  )
    .join('')
    .padEnd(100_000, '.')
    .slice(0, 100_000),
  'without spaces': '今天天气很好我们去公园散步吧'.repeat(1000),
  'of one letter': 'x'.repeat(10_001),
  'of emoji': '👩‍👩‍👧‍👦🇨🇭'.repeat(500),
  'with every kind of white space': `\r\n\n\t \u00a0 x \u3000\n\n${'\n'.repeat(5000)} end \n`,
  'that opens with a byte order mark': `\ufeff${'Sentence number one is here. '.repeat(500)}`,
  'with a byte order mark at a seam': `${'a'.repeat(2000)}\ufeff${'b'.repeat(5000)}`,
  'with NUL and quotes': `'"\\\u0000${"it's ".repeat(900)}`,
}

test.each(Object.keys(texts))('200: a text %s is given back whole', async (kind) => {
  const text = texts[kind] ?? ''
  const id = await makeDatastore(client)
  const [datasourceId = ''] = await upsert(client, id, { text, name: 'Long' })
  const { data } = await sdk.getDatasource({
    client,
    path: { id, datasourceId },
    throwOnError: true,
  })
  expect(data.text).toBe(text)
  expect(data.fragmentCount).toBeGreaterThan(1)
})

test('200: name and source keep a byte order mark, too', async () => {
  const id = await makeDatastore(client)
  const [name, source] = ['\ufeffName', '\ufeffhttps://x']
  const [datasourceId = ''] = await upsert(client, id, {
    text: 'Text.',
    name,
    metadata: { source },
  })
  const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
  expect(data).toMatchObject({ name, source })
})

test('404: unknown in this datastore, or in any', async () => {
  const [here, there] = [await makeDatastore(client), await makeDatastore(client)]
  const [datasourceId = ''] = await upsert(client, there, 'Text.')
  for (const path of [
    { id: here, datasourceId },
    { id: here, datasourceId: "x' OR 'a'='a" },
    { id: 'dst_unknown', datasourceId },
  ]) {
    expect((await sdk.getDatasource({ client, path })).response?.status).toBe(404)
  }
})
