import { createMCPClient } from '@ai-sdk/mcp'
import { authorization, question, report, url } from './asked.mjs'

const transport = { type: 'http', url, headers: { authorization } }
const client = await createMCPClient({ transport })

const tools = await client.tools()
const call = async (name, args) => {
  const result = await tools[name].execute(args, { toolCallId: name, messages: [] })
  return JSON.parse(result.content[0].text)
}
const { results } = await call('search', { query: question })
const { text: fetched } = await call('fetch', { id: results[0].id })
const { answer } = await call('ask', { query: question })
const { resources } = await client.listResources()
const { contents } = await client.readResource({ uri: resources[0].uri })
await client.close()
const named = Object.keys(tools).map((name) => ({ name }))
report({ tools: named, results, fetched, read: contents[0].text, answer })
