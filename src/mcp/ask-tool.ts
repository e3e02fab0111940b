import { requireText, type Tool } from './tool.ts'

const maxDescription = 200

export const askTool: Tool = {
  operationId: 'queryAgent',
  isOfDatastores: false,
  isReadOnly: false,
  run: async (args, { call, by }) => {
    const { agentId: _inPath, ...question } = args
    const path = { id: requireText(args, 'agentId') }
    return call('queryAgent', { path, body: { ...question, streaming: false } }, by)
  },
  /** Tells which agents there are, because nothing else does. */
  note: async ({ call, by }) => {
    if (!by.caller.scopes.includes('agents:read')) return ''
    const { data, nextCursor } = await call('listAgents', {}, by)
    const lines = data.map(({ id, name, description }) => {
      const brief = description.slice(0, maxDescription).replaceAll(/\s+/g, ' ')
      return `- ${id}: ${name}. ${brief}`
    })
    return ['Agents:', ...lines, ...(nextCursor === null ? [] : ['- and more'])].join('\n')
  },
}
