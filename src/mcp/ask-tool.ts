import { InvalidRequest } from '../errors/errors.ts'
import { requireText, type Tool } from './tool.ts'

const maxDescription = 200

export const askTool: Tool = {
  operationId: 'queryAgent',
  isOfDatastores: false,
  isReadOnly: false,
  run: async (args, { call, by }) => {
    const { agentId: _inPath, query, conversationId, ...others } = args
    const path = { id: requireText(args, 'agentId') }
    refuse(Object.keys(others))
    return call('queryAgent', { path, body: { query, conversationId } }, by)
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

/** An assistant may have read what to send in a document, so no more than the tool shows is passed on. */
function refuse(members: string[]): void {
  const violations = members.map((name) => ({ pointer: `/${name}`, detail: 'is not known here' }))
  if (violations.length > 0) throw new InvalidRequest(violations)
}
