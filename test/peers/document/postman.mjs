import converter from 'openapi-to-postmanv2'
import { idFor, makeThings, withIds } from './fresh.mjs'

/** Every request of the collection that Postman's importer makes of the document. */
const { SERVICE_URL, API_KEY } = process.env
const data = await (await fetch(`${SERVICE_URL}/openapi.yaml`)).text()
const collection = await new Promise((resolve, reject) => {
  const options = { parametersResolution: 'Example' }
  converter.convertV2({ type: 'string', data }, options, (error, { result, reason, output }) =>
    result ? resolve(output[0].data) : reject(error ?? new Error(reason)),
  )
})

const requestsOf = ({ item, request }) => (item ? item.flatMap(requestsOf) : [request])
/** Postman asks for the file, and writes no objects into forms. */
function formOf(parts) {
  const form = new FormData()
  for (const { key, type, value } of parts) {
    if (type === 'file') form.append(key, new File(['The library opens at nine.'], 'hours.md'))
    else if (value !== '[object Object]') form.append(key, value)
  }
  return form
}

let things = await makeThings()
for (const { method, url, header, body, auth } of requestsOf(collection)) {
  const segments = ['', ...url.path]
  const filled = segments.map((segment) =>
    segment.startsWith(':') ? idFor(segment.slice(1), segments.join('/'), things) : segment,
  )
  const query = new URLSearchParams(
    // A page's cursor is of an answer, not of an example.
    (url.query ?? []).filter(({ key }) => key !== 'cursor').map(({ key, value }) => [key, value]),
  )
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]))
  if (auth?.type === 'bearer') headers.Authorization = `Bearer ${API_KEY}`
  // It was changed since or is there already, and the upsert was made.
  delete headers['If-Match']
  delete headers['If-None-Match']
  delete headers['Idempotency-Key']
  const form = body?.mode === 'formdata' ? formOf(body.formdata) : undefined
  // The boundary comes with it.
  if (form) delete headers['Content-Type']
  const response = await fetch(`${SERVICE_URL}${filled.join('/')}?${query}`, {
    method,
    headers,
    ...(body?.raw && { body: withIds(body.raw, things) }),
    ...(form && { body: form }),
  })
  if (!response.ok) throw new Error(`${method} ${filled.join('/')}: ${await response.text()}`)
  if (method === 'DELETE') things = await makeThings()
}
