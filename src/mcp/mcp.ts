import type { CalledBy, CallOperation } from '../handlers/handler.ts'
import type { Datastores } from '../domain/datastores.ts'
import type { Caller } from '../domain/keys.ts'
import { InsufficientScope, type ServiceError } from '../errors/errors.ts'
import { askTool } from './ask-tool.ts'
import { fetchTool } from './fetch-tool.ts'
import { listDatastoresTool } from './list-datastores-tool.ts'
import { listDocumentsTool } from './list-documents-tool.ts'
import { readableDatastores } from './readable-datastores.ts'
import { searchTool } from './search-tool.ts'
import { type Message, nameOfCalledTool } from './message.ts'
import type { DefinedTool } from './tool.ts'
import { define, type ToolDocument } from './tool-definition.ts'

type McpRequest = {
  message: Message
  /** The headers of the HTTP request that the protocol knows. */
  headers: Headers
  /** The endpoint's datastore; undefined where it is for all datastores and agents. */
  datastoreId: string | undefined
  by: CalledBy
  base: string
  report: (thrown: unknown) => ServiceError
}

/** The Model Context Protocol: the service as tools of an assistant. */
export type Mcp = {
  maxMessageBytes: number
  /** @throws InsufficientScope when the key may use none of an endpoint's tools */
  checkCaller(caller: Caller, datastoreId: string | undefined): void
  /** @throws InsufficientScope for the tool that is called; NotFound for the datastore */
  answer(request: McpRequest): Promise<globalThis.Response>
}

type Parts = { document: ToolDocument; call: CallOperation; datastores: Datastores }

const tools = [searchTool, fetchTool, askTool, listDatastoresTool, listDocumentsTool]

export function createMcp(parts: Parts): Mcp {
  const all = tools.map((tool) => define(tool, parts.document))
  const ofDatastores = all
    .filter(({ isForOneDatastore }) => isForOneDatastore)
    .map(withoutDatastoreArgument)
  const toolsOf = (datastoreId: string | undefined) =>
    datastoreId === undefined ? all : ofDatastores
  return {
    maxMessageBytes: Math.max(...all.map(({ maxBodyBytes }) => maxBodyBytes)),
    checkCaller: (caller, datastoreId) => {
      const own = toolsOf(datastoreId)
      if (!own.some((tool) => mayUse(caller, tool))) throw new InsufficientScope(own[0]!.scopes)
    },
    answer: (request) => answer(request, toolsOf(request.datastoreId), parts),
  }
}

async function answer(
  { message, headers, datastoreId, by, base, report }: McpRequest,
  offered: DefinedTool[],
  { document, call, datastores }: Parts,
): Promise<globalThis.Response> {
  const called = offered.find(({ name }) => name === nameOfCalledTool(message))
  if (called && !mayUse(by.caller, called)) throw new InsufficientScope(called.scopes)
  const read = await readableDatastores(datastores, by.caller, datastoreId)
  // The library is only loaded where it is used.
  const { serveMessage: serve } = await import('./server.ts')
  const usable = offered.filter((tool) => mayUse(by.caller, tool))
  const context = { call, by, base, datastores: read }
  return serve(message, headers, { document, tools: usable, context, report })
}

/** The endpoint of one datastore names it in its path. */
function withoutDatastoreArgument(tool: DefinedTool): DefinedTool {
  const { datastore: _needless, ...properties } = tool.inputSchema.properties
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
}

const mayUse = ({ scopes }: Caller, tool: DefinedTool): boolean =>
  tool.scopes.every((scope) => scopes.includes(scope))
