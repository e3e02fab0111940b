import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { InvalidRequest, type ServiceError } from '../errors.ts'
import type { Message } from './message.ts'
import { agreeing } from './revision-headers.ts'
import type { Arguments, DefinedTool, ToolContext } from './tool.ts'
import type { ToolDocument } from './tool-definition.ts'
import { refuseParams } from './wrong-params.ts'

export type Served = {
  document: ToolDocument
  tools: DefinedTool[]
  context: ToolContext
  tell: (thrown: unknown) => ServiceError
}

/** Answers one message, of any revision of the protocol. Nothing is kept from one to the next. */
export async function serve(
  message: Message,
  headers: Headers,
  served: Served,
): Promise<globalThis.Response> {
  const refusal = refuseParams(message)
  if (refusal) return refusal
  const tools =
    message.method === 'tools/list'
      ? await Promise.all(served.tools.map((tool) => noted(tool, served.context)))
      : served.tools
  const { fetch } = createMcpHandler(() => toServer({ ...served, tools }), options)
  const request = new Request('http://mcp', {
    method: 'POST',
    headers: agreeing(message, headers),
  })
  return fetch(request, { parsedBody: message })
}

async function noted(tool: DefinedTool, context: ToolContext): Promise<DefinedTool> {
  const note = await tool.note?.(context)
  return note ? { ...tool, description: `${tool.description}\n\n${note}` } : tool
}

/** Tools never change while a server runs, so there is nothing to subscribe to. */
const options = { maxSubscriptions: 0, keepAliveMs: 0 }

function toServer(served: Served): McpServer {
  const { title, version, summary } = served.document.info
  const server = new McpServer(
    { name: 'agents-datastores', title, version },
    { capabilities: { tools: { listChanged: false } }, instructions: summary },
  )
  for (const tool of served.tools) register(server, tool, served)
  return server
}

function register(server: McpServer, tool: DefinedTool, { context, tell }: Served): void {
  const { title, description, isReadOnly } = tool
  const annotations = {
    readOnlyHint: isReadOnly,
    destructiveHint: false,
    idempotentHint: isReadOnly,
    openWorldHint: false,
  }
  const inputSchema = unchecked(tool.inputSchema)
  const definition = { title, description, inputSchema, annotations }
  server.registerTool(tool.name, definition, async (args) => {
    try {
      return toResult(await tool.run(args, context))
    } catch (thrown) {
      // Then the request is answered already, or nobody waits for it.
      if (context.by.deadline.signal.aborted) throw thrown
      return { content: [{ type: 'text', text: toText(tell(thrown)) }], isError: true }
    }
  })
}

const toResult = (result: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result,
})

/** All that is wrong, because an assistant sees nothing else of a Problem. */
const toText = (error: ServiceError): string =>
  error instanceof InvalidRequest && error.violations.length > 1
    ? error.violations.map(({ pointer, detail }) => `${pointer} ${detail}.`).join('\n')
    : error.message

/** A schema that is shown; the operations check what comes, in their own words. */
const unchecked = (schema: Record<string, unknown>): StandardSchemaWithJSON<Arguments> => ({
  '~standard': {
    version: 1,
    vendor: 'openapi',
    validate: (value) => ({ value: value as Arguments }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
})
