import { isAxiosError } from 'axios'
import * as service from './orval.gen.ts'

/** Every operation by the functions that orval makes. */
const options = {
  baseURL: process.env.SERVICE_URL!,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
}

const smallest = { name: 'Librarian', description: 'Answers.' }
const { data: agent } = await service.createAgent(smallest, options)
;(await service.listAgents({}, options)).data.data.map(({ temperature }) => temperature.toFixed(1))
;(await service.getAgent(agent.id, options)).data.name.at(0)
;(await service.updateAgent(agent.id, { description: 'More.' }, options)).data.name.at(0)
;(await service.getKnowledge(agent.id, options)).data.topK.toFixed()
;(await service.putKnowledge(agent.id, { datastoreIds: [] }, options)).data.noAnswer.at(0)
const { data: answer } = await service.queryAgent(agent.id, { query: 'When?' }, options)
if (!('citations' in answer)) throw new Error('An answer is expected.')
answer.citations.map(({ support }) => support.toFixed(2))
const conversation = answer.conversationId!
;(await service.listConversations(agent.id, {}, options)).data.data.map(({ id }) => id.at(0))
;(await service.getConversation(conversation, options)).data.messages[0]?.content.at(0)
;(await service.deleteConversation(conversation, options)).data.messageCount.toFixed()
;(await service.deleteConversations(agent.id, { visitorId: 'x' }, options)).data.deleted.toFixed()
;(await service.deleteAgent(agent.id, {}, options)).data.userPrompt.at(0)

const { data: datastore } = await service.createDatastore({ name: 'library' }, options)
const { id } = datastore
;(await service.listDatastores({ limit: 1 }, options)).data.nextCursor?.at(0)
;(await service.getDatastore(id, options)).data.dimensions.toFixed()
;(await service.updateDatastore(id, { name: 'archive' }, options)).data.name.at(0)
const documents = [{ text: 'The library opens at nine.' }]
const [first = ''] = (await service.upsertDocuments(id, { documents }, options)).data.ids
;(await service.updateDatasource(id, { id: first, text: 'At ten.' }, options)).data.id.at(0)
;(await service.queryDatastore(id, { query: 'ten' }, options)).data.map(({ score }) =>
  score.toFixed(),
)
;(await service.listDatasources(id, {}, options)).data.data.map(({ name }) => name.at(0))
;(await service.getDatasource(id, first, options)).data.text.at(0)
;(await service.patchDatasource(id, first, { name: 'Opening hours' }, options)).data.name.at(0)
;(await service.deleteDatasource(id, first, options)).data.text.at(0)
const key = 'opening-hours'
const newText = { text: 'The library opens at nine.' }
;(await service.putDocument(id, key, newText, options)).data.key?.at(0)
;(await service.putDocuments(id, { documents: [{ key, ...newText }] }, options)).data.documents
  .map(({ outcome }) => outcome)
  .at(0)
;(await service.getDocument(id, key, options)).data.text.at(0)
;(await service.deleteDocument(id, key, options)).data.text.at(0)
const file = new Blob([newText.text])
;(await service.uploadFile(id, { file, key: 'hours.md' }, {}, options)).data.name.at(0)
;(await service.putFile(id, 'hours.txt', file, {}, options)).data.name.at(0)
for (const name of ['hours.md', 'hours.txt']) {
  const { text } = (await service.getDocument(id, name, options)).data
  if (text !== newText.text) throw new Error(`${name} was stored as ${text}`)
}
const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
;(await service.deleteDatasources(id, { filter }, options)).data.deleted.toFixed()
;(await service.deleteDatastore(id, options)).data.fragmentCount.toFixed()

const newKey = { name: 'x', scopes: [service.Scope['agents:read']] }
const { data: made } = await service.createKey(newKey, options)
made.key.at(0)
;(await service.listKeys({}, options)).data.data.map(({ scopes }) => scopes.at(0))
;(await service.getCurrentKey(options)).data.scopes.at(0)
;(await service.getKey(made.id, options)).data.lastUsedAt?.at(0)
;(await service.revokeKey(made.id, options)).data.revokedAt?.at(0)

;(await service.getLiveness(options)).data.status.at(0)
;(await service.getReadiness(options)).data.status.at(0)
;(await service.getMetrics(options)).data.at(0)

const gone = await service.getAgent(agent.id, options).catch((error: unknown) => error)
if (!isAxiosError<service.Problem>(gone) || gone.response?.data.code !== 'not_found') throw gone
