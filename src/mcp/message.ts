/** A JSON-RPC message with the members that are used here. */
export type Message = {
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> | null } | null
}

export const nameOfCalledTool = ({ method, params }: Message): unknown =>
  method === 'tools/call' ? params?.name : undefined
