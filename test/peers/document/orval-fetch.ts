import * as service from './orval-fetch.gen.ts'

/** Files by the functions that orval makes for `fetch`, which are asked for no address and no key. */
const { SERVICE_URL, API_KEY } = process.env
const plain = globalThis.fetch
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers)
  headers.set('Authorization', `Bearer ${API_KEY}`)
  return plain(`${SERVICE_URL}${path}`, { ...init, headers })
}

const datastore = await service.createDatastore({ name: 'library' })
if (datastore.status !== 201) throw new Error(datastore.data.detail)
const { id } = datastore.data
const text = 'The library opens at nine.'
const file = new Blob([text])
await service.uploadFile(id, { file, key: 'hours.md' })
await service.putFile(id, 'hours.txt', file)
for (const key of ['hours.md', 'hours.txt']) {
  const got = await service.getDocument(id, key)
  if (got.status !== 200) throw new Error(`${key} is not there.`)
  if (got.data.text !== text) throw new Error(`${key} was stored as ${got.data.text}`)
}
