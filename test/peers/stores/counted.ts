import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ObjectStore } from './azurite.ts'

/** Requests to a store, and the bytes that it answered. */
export type Traffic = { requests: number; bytes: number }

/** A store of Azure's interface behind a proxy, which ends with the test. `traffic` counts from its last call. */
export async function counted(
  store: ObjectStore,
): Promise<ObjectStore & { traffic: () => Traffic }> {
  const { hostname, port, pathname } = new URL(store.settings.AZURE_STORAGE_ENDPOINT!)
  let counting: Traffic = { requests: 0, bytes: 0 }
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request
    counting.requests += 1
    const asked = send({ hostname, port, method, path, headers }, (answer) => {
      answer.on('data', (bytes: Buffer) => (counting.bytes += bytes.length))
      response.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    request.pipe(asked)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const own = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`
  const traffic = () => {
    const counted = counting
    counting = { requests: 0, bytes: 0 }
    return counted
  }
  return { settings: { ...store.settings, AZURE_STORAGE_ENDPOINT: own }, traffic }
}
