import { expect, test } from 'vitest'
import { AgentsDatastores } from '../../client/src/index.ts'
import { DatastoreRetriever } from '../../client/src/langchain.ts'
import { joinServer, testKey } from '../support/server.ts'

const { url } = await joinServer()
const client = new AgentsDatastores({ baseUrl: url, apiKey: testKey })
const { id: datastoreId } = await client.createDatastore({ name: 'library' })
const text = 'The library opens at nine.'
const metadata = { lang: 'en', source: 'hours.md' }
await client.upsertDocuments(datastoreId, { documents: [{ text, name: 'Hours', metadata }] })

const query = 'When does the library open?'
const told = { lang: 'en', source: 'hours.md', datasource_name: 'Hours' }

test.each([
  [undefined, []],
  [[], []],
  [['metadata'] as const, []],
  [['highlights', 'span'] as const, ['highlights', 'span']],
])(
  'a retriever that includes %j has the metadata of the datasource, too',
  async (include, more) => {
    const how = { topK: 3, ...(include && { include: [...include] }) }
    const [document, ...others] = await new DatastoreRetriever({
      client,
      datastoreId,
      ...how,
    }).invoke(query)
    expect(document).toMatchObject({ pageContent: text, metadata: told })
    const own = ['datasource_id', 'datasource_name', 'lang', 'score', 'source']
    expect(Object.keys(document!.metadata).toSorted()).toEqual([...own, ...more].toSorted())
    expect(others).toEqual([])
  },
)
