import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { authorization, question, report, url } from './asked.mjs'

const client = new Client({ name: 'peer', version: '1.0.0' })
const requestInit = { headers: { authorization } }
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))

const { tools } = await client.listTools()
const call = async (name, args) =>
  JSON.parse((await client.callTool({ name, arguments: args })).content[0].text)
const { results } = await call('search', { query: question })
const { text: fetched } = await call('fetch', { id: results[0].id })
const { answer } = await call('ask', { query: question })
const { resources } = await client.listResources()
const { contents } = await client.readResource({ uri: resources[0].uri })
await client.close()
report({ tools, results, fetched, read: contents[0].text, answer })
