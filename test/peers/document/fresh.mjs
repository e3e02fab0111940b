const { SERVICE_URL, API_KEY } = process.env

const documentKey = 'opening-hours'

/** The ids of a new thing of each kind. */
export async function makeThings() {
  const agent = await create('/agents', { name: 'Librarian', description: 'Answers.' })
  const asked = { query: 'When does the library open?' }
  const { conversationId } = await create(`/agents/${agent.id}/query`, asked)
  const datastore = await create('/datastores', { name: 'library' })
  const documents = [{ text: 'The library opens at nine.' }]
  const { ids } = await create(`/api/datastores/upsert/${datastore.id}`, { documents })
  await send('PUT', `/datastores/${datastore.id}/documents/${documentKey}`, documents[0])
  const key = await create('/keys', { name: 'x', scopes: ['agents:read'] })
  return {
    agents: agent.id,
    conversations: conversationId,
    datastores: datastore.id,
    datasources: ids[0],
    keys: key.id,
    documents: documentKey,
  }
}

/** The id that belongs in the place of a path's parameter. */
export const idFor = (name, path, things) => things[kinds[name] ?? path.split('/')[1]]

const kinds = { datastoreId: 'datastores', datasourceId: 'datasources', key: 'documents' }

/** A body with these ids in the place of the examples'. */
export const withIds = (body, things) =>
  body
    .replaceAll('src_0d6f2b8c41e94a7f9c53e7a1000', things.datasources)
    .replaceAll('dst_b7c1f0a2d94e4e0f8a6c3d51', things.datastores)

const create = (path, body) => send('POST', path, body)

async function send(method, path, body) {
  const response = await fetch(SERVICE_URL + path, {
    method,
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.json()
}
