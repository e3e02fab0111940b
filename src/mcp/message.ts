export type Message = {
  method?: unknown
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> | null } | null
}

export const nameOfCalledTool = ({ method, params }: Message): unknown =>
  method === 'tools/call' ? params?.name : undefined

/** What the header `Mcp-Name` says of a message. */
export const subjectOf = (message: Message): unknown =>
  message.method === 'resources/read' ? message.params?.uri : nameOfCalledTool(message)
