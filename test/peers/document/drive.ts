/** What an operation takes, as the document names it. */
export type Input = {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
/** Calls an operation by a client that a tool has made, and gives the data of its answer. */
export type Call = (operationId: string, input: Input) => Promise<any>

const text = 'The library opens at nine.'
const metadata = { lang: 'en', hours: { from: 9 } }
const nested = {
  metadata: { type: 'or', filters: [{ type: 'ne', key: 'lang', value: 'de' }] },
}

/**
 * Every operation by one client; prints those that succeed. A plain `key` of a document is for tools that do
 * not escape it, no `filters` for those that make none, no object in a `form` for those that take none, and
 * `without` names operations that they do not make. A mock keeps nothing.
 */
export async function drive(
  client: Call,
  {
    key = 'opening/hours?',
    filters = nested as object,
    form = { metadata } as { metadata?: object },
    without = /^$/,
    mock = false,
  } = {},
) {
  const call: Call = async (operationId, input) => {
    if (without.test(operationId)) return undefined
    const data = await client(operationId, input)
    console.log(operationId)
    return data
  }

  const agent = await call('createAgent', { body: { name: 'Librarian', description: 'Answers.' } })
  const path = { id: agent.id }
  await call('listAgents', { query: {} })
  await call('getAgent', { path })
  await call('updateAgent', { path, body: { description: 'More.' } })
  await call('getKnowledge', { path })
  await call('putKnowledge', { path, body: { datastoreIds: [] } })
  const { conversationId } = await call('queryAgent', { path, body: { query: 'When?' } })
  await call('listConversations', { path, query: {} })
  await call('getConversation', { path: { id: conversationId } })
  await call('deleteConversation', { path: { id: conversationId } })
  await call('deleteConversations', { path, query: { visitorId: 'x' } })
  await call('deleteAgent', { path, body: {} })

  const { id } = await call('createDatastore', { body: { name: 'library' } })
  const ofDatastore = { datastoreId: id }
  await call('listDatastores', { query: {} })
  await call('getDatastore', { path: { id } })
  await call('updateDatastore', { path: { id }, body: { name: 'archive' } })
  const upsert = { path: ofDatastore, body: { documents: [{ text, metadata }] } }
  const datasourceId = (await call('upsertDocuments', upsert)).ids[0]
  const change = { id: datasourceId, text: 'The library opens at ten.', metadata: null }
  await call('updateDatasource', { path: ofDatastore, body: change })
  await call('queryDatastore', { path: { id }, body: { query: 'library', filters } })
  await call('listDatasources', { path: { id }, query: {} })
  await call('getDatasource', { path: { id, datasourceId } })
  await call('patchDatasource', { path: { id, datasourceId }, body: { name: 'Opening hours' } })
  await call('deleteDatasource', { path: { id, datasourceId } })

  const document = { id, key }
  await call('putDocument', { path: document, body: { text, metadata } })
  await call('putDocuments', { path: { id }, body: { documents: [{ key, text, metadata }] } })
  const file = new File([text], 'hours.md')
  await call('uploadFile', { path: { id }, query: {}, body: { file, key: 'hours.md', ...form } })
  await call('putFile', { path: { id, key: 'hours.txt' }, query: {}, body: file })
  for (const [stored, kept] of [
    [key, metadata],
    ['hours.md', form.metadata ?? null],
    ['hours.txt', null],
  ] as const) {
    const found = await call('getDocument', { path: { id, key: stored } })
    const same = found.text === text && JSON.stringify(found.metadata) === JSON.stringify(kept)
    if (!same && !mock) throw new Error(`${stored} was stored as ${JSON.stringify(found)}`)
  }
  await call('deleteDocument', { path: document })
  const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
  await call('deleteDatasources', { path: { id }, query: { filter } })
  await call('deleteDatastore', { path: { id } })

  const made = await call('createKey', { body: { name: 'x', scopes: ['agents:read'] } })
  await call('listKeys', { query: {} })
  await call('getCurrentKey', {})
  await call('getKey', { path: { id: made.id } })
  await call('revokeKey', { path: { id: made.id } })

  await call('getLiveness', {})
  await call('getReadiness', {})
  await call('getMetrics', {})
}

/** Functions by their name, whose arguments are the operation's own. */
export const named = (functions: object) =>
  functions as Record<string, (...input: unknown[]) => Promise<any>>

/** The validators of hey-api take a file for a string. */
export const unchecked = (operationId: string) =>
  ['uploadFile', 'putFile'].includes(operationId) ? { requestValidator: undefined } : {}
