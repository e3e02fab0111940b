import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { modules, startStore } from './process.ts'

/** Where a server keeps its store, as its settings say it. */
export type ObjectStore = { settings: Record<string, string> }

/** The account that Azurite comes with. */
const account = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const container = 'container'

/** A container of Azure's blob storage, whose writes may have conditions, with its files in a directory. */
export async function openAzurite(
  directory: string,
): Promise<ObjectStore & { endpoint: string; end: () => Promise<void> }> {
  const location = ['--location', directory, '--silent', '--skipApiVersionCheck']
  const { port, end } = await startStore((free) => [
    join(modules, '.bin/azurite-blob'),
    ...['--blobHost', '127.0.0.1', '--blobPort', free],
    ...location,
  ])
  const endpoint = `http://127.0.0.1:${port}/${account}`
  await ask(endpoint, 'PUT')
  return {
    endpoint,
    end,
    settings: {
      DATA_URI: `az://${container}/store`,
      AZURE_STORAGE_ACCOUNT_NAME: account,
      AZURE_STORAGE_ACCOUNT_KEY: accountKey,
      AZURE_STORAGE_ENDPOINT: endpoint,
      AZURE_STORAGE_ALLOW_HTTP: 'true',
    },
  }
}

/** As LanceDB takes them outside the environment. */
export const storageOptionsOf = (settings: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name.toLowerCase(), value]),
  ),
  allow_http: 'true',
})

/** The names of all files below a prefix. */
export async function filesIn(endpoint: string, prefix: string): Promise<string[]> {
  const text = await (await ask(endpoint, 'GET', { comp: 'list', prefix })).text()
  return Array.from(text.matchAll(/<Name>([^<]*)<\/Name>/g), ([, name]) => name!)
}

/** Asks for the container, in Azure's way of signing; LanceDB makes no containers. */
async function ask(
  endpoint: string,
  method: string,
  parameters: Record<string, string> = {},
): Promise<Response> {
  const query = { ...parameters, restype: 'container' }
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-08-06' }
  const lines = (fields: object) => Object.entries(fields).map(([key, value]) => `${key}:${value}`)
  const path = `/${account}/${account}/${container}`
  const empty = Array.from({ length: 11 }, () => '')
  const text = [method, ...empty, ...lines(headers), path, ...lines(query)].join('\n')
  const hmac = createHmac('sha256', Buffer.from(accountKey, 'base64'))
  const Authorization = `SharedKey ${account}:${hmac.update(text).digest('base64')}`
  const address = `${endpoint}/${container}?${new URLSearchParams(query)}`
  const response = await fetch(address, { method, headers: { ...headers, Authorization } })
  if (!response.ok) throw new Error(await response.text())
  return response
}
