import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { authorization, question, report, url } from './asked.mjs'

const client = new MultiServerMCPClient({
  mcpServers: { library: { transport: 'http', url, headers: { authorization } } },
})
const tools = await client.getTools()
const call = async (name, args) =>
  JSON.parse((await tools.find((tool) => tool.name === name).invoke(args)).text)
const { results } = await call('search', { query: question })
const { text: fetched } = await call('fetch', { id: results[0].id })
const { answer } = await call('ask', { query: question })
const { library: resources } = await client.listResources()
const [{ text: read }] = await client.readResource('library', resources[0].uri)
await client.close()
report({ tools, results, fetched, read, answer })
