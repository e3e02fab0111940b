import { Api, Scope } from './swagger-typescript-api.gen.ts'

/** Every operation by the client that swagger-typescript-api makes. */
const {
  agents,
  api,
  conversations,
  datastores,
  key: ownKey,
  keys,
  health,
  metrics,
} = new Api({
  baseUrl: process.env.SERVICE_URL!,
  securityWorker: () => ({ headers: { Authorization: `Bearer ${process.env.API_KEY}` } }),
})

const { data: agent } = await agents.createAgent({ name: 'Librarian', description: 'Answers.' })
;(await agents.listAgents()).data.data.map(({ temperature }) => temperature.toFixed(1))
;(await agents.getAgent(agent.id)).data.name.at(0)
;(await agents.updateAgent(agent.id, { description: 'More.' })).data.description.at(0)
;(await agents.getKnowledge(agent.id)).data.topK.toFixed()
;(await agents.putKnowledge(agent.id, { datastoreIds: [] })).data.noAnswer.at(0)
const { data: answer } = await agents.queryAgent(agent.id, { query: 'When?' })
answer.citations.map(({ support }) => support.toFixed(2))
const conversation = answer.conversationId!
;(await agents.listConversations(agent.id)).data.data.map(({ visitorId }) => visitorId.at(0))
;(await conversations.getConversation(conversation)).data.messages[0]?.content.at(0)
;(await conversations.deleteConversation(conversation)).data.messageCount.toFixed()
;(await agents.deleteConversations(agent.id, { visitorId: 'x' })).data.deleted.toFixed()
;(await agents.deleteAgent(agent.id, {})).data.userPrompt.at(0)

const { data: datastore } = await datastores.createDatastore({ name: 'library' })
const { id } = datastore
;(await datastores.listDatastores({ limit: 1 })).data.nextCursor?.at(0)
;(await datastores.getDatastore(id)).data.dimensions.toFixed()
;(await datastores.updateDatastore(id, { name: 'archive' })).data.name.at(0)
const documents = [{ text: 'The library opens at nine.' }]
const [first = ''] = (await api.upsertDocuments(id, { documents })).data.ids
;(await api.updateDatasource(id, { id: first, text: 'At ten.' })).data.id.at(0)
;(await datastores.queryDatastore(id, { query: 'ten' })).data.map(({ score }) => score.toFixed(2))
;(await datastores.listDatasources(id)).data.data.map(({ name }) => name.at(0))
;(await datastores.getDatasource(id, first)).data.text.at(0)
;(await datastores.patchDatasource(id, first, { name: 'Opening hours' })).data.name.at(0)
;(await datastores.deleteDatasource(id, first)).data.text.at(0)
const key = 'opening-hours'
;(await datastores.putDocument(id, key, { text: 'The library opens at nine.' })).data.key?.at(0)
;(await datastores.putDocuments(id, { documents: [{ key, text: 'At nine.' }] })).data.documents
  .map(({ outcome }) => outcome)
  .at(0)
;(await datastores.getDocument(id, key)).data.text.at(0)
;(await datastores.deleteDocument(id, key)).data.text.at(0)
const file = new File(['The library opens at nine.'], 'hours.md')
;(await datastores.uploadFile(id, { file, key: 'hours.md' })).data.fragmentCount.toFixed()
const { text } = (await datastores.getDocument(id, 'hours.md')).data
if (text !== 'The library opens at nine.') throw new Error(`The file was stored as ${text}`)
// It makes JSON of a body that is a file.
const refused = await datastores.putFile(id, 'hours.txt', file).catch(({ status }) => status)
if (refused !== 415) throw new Error('JSON was taken for a file.')
const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
;(await datastores.deleteDatasources(id, { filter })).data.deleted.toFixed()
;(await datastores.deleteDatastore(id)).data.fragmentCount.toFixed()

const { data: made } = await keys.createKey({ name: 'x', scopes: [Scope.AgentsRead] })
made.key.at(0)
;(await keys.listKeys()).data.data.map(({ scopes }) => scopes.at(0))
;(await ownKey.getCurrentKey()).data.scopes.at(0)
;(await keys.getKey(made.id)).data.lastUsedAt?.at(0)
;(await keys.revokeKey(made.id)).data.revokedAt?.at(0)

;(await health.getLiveness()).data.status.at(0)
;(await health.getReadiness()).data.status.at(0)
;(await metrics.getMetrics({ format: 'text' })).data.at(0)
