import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { freePort, modules, startStore } from './process.ts'

/** Where a server keeps its store, as its settings say it. */
export type ObjectStore = { settings: NodeJS.ProcessEnv }

/** The account that Azurite comes with. */
const account = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** A container of Azure's blob storage, whose writes may have conditions, with its files in a directory. */
export async function openAzurite(directory: string): Promise<ObjectStore & { end: () => Promise<void> }> {
  const port = await freePort()
  const place = ['--blobHost', '127.0.0.1', '--blobPort', String(port)]
  const location = ['--location', directory, '--silent', '--skipApiVersionCheck']
  const end = await startStore([join(modules, '.bin/azurite-blob'), ...place, ...location], port)
  const endpoint = `http://127.0.0.1:${port}/${account}`
  await makeContainer(endpoint, 'container')
  return {
    end,
    settings: {
      DATA_URI: 'az://container/store',
      AZURE_STORAGE_ACCOUNT_NAME: account,
      AZURE_STORAGE_ACCOUNT_KEY: accountKey,
      AZURE_STORAGE_ENDPOINT: endpoint,
      AZURE_STORAGE_ALLOW_HTTP: 'true',
    },
  }
}

/** LanceDB makes no containers. */
async function makeContainer(endpoint: string, name: string): Promise<void> {
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-08-06' }
  const signed = Object.entries(headers).map(([key, value]) => `${key}:${value}`)
  const resource = `/${account}/${account}/${name}\nrestype:container`
  const text = ['PUT', ...Array.from({ length: 11 }, () => ''), ...signed, resource].join('\n')
  const hmac = createHmac('sha256', Buffer.from(accountKey, 'base64'))
  const Authorization = `SharedKey ${account}:${hmac.update(text).digest('base64')}`
  const options = { method: 'PUT', headers: { ...headers, Authorization } }
  const response = await fetch(`${endpoint}/${name}?restype=container`, options)
  if (response.status !== 201) throw new Error(await response.text())
}
