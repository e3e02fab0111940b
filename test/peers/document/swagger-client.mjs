import SwaggerClient from 'swagger-client'
import { idFor, makeThings, withIds } from './fresh.mjs'

/** Every operation by swagger-client, from the document as it is served, with its examples. */
const { SERVICE_URL, API_KEY } = process.env
const client = await SwaggerClient({
  url: `${SERVICE_URL}/openapi.json`,
  authorizations: { bearer: { value: API_KEY } },
})
if (client.errors.length > 0) throw client.errors[0]

let things = await makeThings()
for (const [path, item] of Object.entries(client.spec.paths)) {
  for (const operation of Object.values(item)) {
    if (!operation.operationId) continue
    const inPath = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? []
    const inQuery = operation.parameters?.filter((one) => one.in === 'query' && one.required) ?? []
    const parameters = [
      ...inPath.map(({ name }) => [name, idFor(name, path, things)]),
      ...inQuery.map(({ name, schema }) => [name, schema.examples[0]]),
    ]
    const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
    const [example] = Object.values(media?.examples ?? {})
    const body = example && JSON.parse(withIds(JSON.stringify(example.value), things))
    if (body?.file) body.file = new File([body.file], 'hours.html')
    const { ok, text } = await client.execute({
      operationId: operation.operationId,
      parameters: Object.fromEntries(parameters),
      ...(body && { requestBody: body, requestContentType: type }),
    })
    if (!ok) throw new Error(`${operation.operationId}: ${text}`)
    if (item.delete === operation) things = await makeThings()
  }
}
