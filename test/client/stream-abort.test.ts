import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createClient } from '../../generated/client/index.ts'
import { streamAgent } from '../../generated/index.ts'
import { startScripted, type Step } from '../support/scripted.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const cleanUp = async () => {
  for (let round = 0; round < 3; round++) {
    await setImmediate()
    collectGarbage()
  }
}

const beginning: Step = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: {"type":"sources","sources":[]}\n\n')
}

test('an abort ends a stream of the generated client, although memory is cleaned up meanwhile', async () => {
  const { url } = await startScripted(beginning)
  const reading = new AbortController()
  const stream = streamAgent({
    client: createClient({ baseUrl: url }),
    path: { id: 'agt_1' },
    body: { query: 'When?' },
    signal: reading.signal,
  })
  await stream.next()
  await cleanUp()
  reading.abort()
  await expect(stream.next()).rejects.toHaveProperty('name', 'AbortError')
})
