import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
  PROTOCOL_VERSION_META_KEY,
  isJSONRPCRequest,
  ProtocolErrorCode,
  specTypeSchemas,
  type StandardSchemaV1Sync,
} from '@modelcontextprotocol/server'
import { InvalidRequest, type ServiceError } from '../errors/errors.ts'
import { instructionsOf } from './instructions.ts'
import { type Message, subjectOf } from './message.ts'
import { serveResources } from './resources.ts'
import type { ToolDocument } from './tool-definition.ts'
import type { DefinedTool, ToolContext } from './tool.ts'
import type { Arguments } from './arguments.ts'

type Served = {
  document: ToolDocument
  tools: DefinedTool[]
  context: ToolContext
  report: (thrown: unknown) => ServiceError
}

/** Answers one message, of any revision of the protocol. Nothing is kept from one to the next. */
export async function serveMessage(
  message: Message,
  headers: Headers,
  served: Served,
): Promise<globalThis.Response> {
  const refusal = refuseParams(message)
  if (refusal) return refusal
  const { tools: usable, context, document } = served
  const isListing = message.method === 'tools/list'
  const tools = isListing ? await Promise.all(usable.map((one) => withNote(one, context))) : usable
  const instructions = methodsWithInstructions.has(message.method)
    ? await instructionsOf(document.info.summary, tools, context)
    : ''
  const { fetch } = createMcpHandler(() => toServer({ ...served, tools }, instructions), options)
  const init = { method: 'POST', headers: agreeingHeaders(message, headers) }
  const request = new Request('http://mcp', init)
  return fetch(request, { parsedBody: message })
}

async function withNote(tool: DefinedTool, context: ToolContext): Promise<DefinedTool> {
  const note = await tool.note?.(context)
  return note ? { ...tool, description: `${tool.description} ${note}` } : tool
}

/** Methods whose answers hold the instructions. The `method` of a message may be no text. */
const methodsWithInstructions = new Set<unknown>(['initialize', 'server/discover'])

/** Tools never change while a server runs, so there is nothing to subscribe to. */
const options = { maxSubscriptions: 0, keepAliveMs: 0 }

function toServer(served: Served, instructions: string): McpServer {
  const isReader = served.context.by.caller.scopes.includes('datastores:read')
  const { title, version } = served.document.info
  const server = new McpServer(
    { name: 'agents-datastores', title, version },
    {
      capabilities: {
        tools: { listChanged: false },
        ...(isReader && { resources: { listChanged: false } }),
      },
      instructions,
    },
  )
  for (const tool of served.tools) register(server, tool, served)
  if (isReader) serveResources(server, served.context, served.report)
  return server
}

function register(server: McpServer, tool: DefinedTool, { context, report }: Served): void {
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
      // The request is answered already, or nobody waits for it.
      if (context.by.deadline.signal.aborted) throw thrown
      return { content: [{ type: 'text', text: toText(report(thrown)) }], isError: true }
    }
  })
}

const toResult = (result: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result,
})

/** Every violation, because an assistant sees nothing else of a Problem. */
const toText = (error: ServiceError): string =>
  error instanceof InvalidRequest && error.violations.length > 1
    ? error.violations.map(({ pointer, detail }) => `${pointer} ${detail}.`).join('\n')
    : error.message

/** A schema that is only shown. The operations check the arguments, in their own words. */
const unchecked = (schema: Record<string, unknown>): StandardSchemaWithJSON<Arguments> => ({
  '~standard': {
    version: 1,
    vendor: 'openapi',
    validate: (value) => ({ value: value as Arguments }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
})

/** Headers of the message's own revision. Claude's client sends an older one in its headers. */
function agreeingHeaders(message: Message, headers: Headers): Headers {
  const named = headers.get('mcp-protocol-version')
  const { _meta: meta } = message.params ?? {}
  const claimed = meta?.[PROTOCOL_VERSION_META_KEY]
  if (named === null || typeof claimed !== 'string' || !(named < claimed)) return headers
  const agreed = new Headers(headers)
  const ofMessage = {
    'mcp-protocol-version': claimed,
    'mcp-method': headers.get('mcp-method') ?? message.method,
    'mcp-name': headers.get('mcp-name') ?? subjectOf(message),
  }
  for (const [name, value] of Object.entries(ofMessage)) {
    if (typeof value === 'string' && fitsHeader(value)) agreed.set(name, value)
  }
  return agreed
}

const fitsHeader = (text: string): boolean => /^[\x21-\x7e]{1,256}$/.test(text)

/** Methods whose wrong params the library reports as an internal error; it reports those of others itself. */
const schemas = new Map<string, StandardSchemaV1Sync>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['resources/list', specTypeSchemas.ListResourcesRequest],
  ['resources/templates/list', specTypeSchemas.ListResourceTemplatesRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
])

/** The answer to a request whose params are wrong; undefined for any other message. */
function refuseParams(message: unknown): globalThis.Response | undefined {
  if (!isJSONRPCRequest(message)) return undefined
  const issues = schemas.get(message.method)?.['~standard'].validate(message).issues
  if (!issues) return undefined
  const faults = issues.map(
    ({ path = [], message: fault }) => `${path.map(toStep).join('')}: ${fault}`,
  )
  const text = `Invalid params of ${message.method}. ${faults.join('. ')}`
  const error = { code: ProtocolErrorCode.InvalidParams, message: text }
  return Response.json({ jsonrpc: '2.0', id: message.id, error })
}

const toStep = (step: PropertyKey | { key: PropertyKey }): string =>
  `/${String(typeof step === 'object' ? step.key : step)}`
