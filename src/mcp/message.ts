/** A JSON-RPC message, of which only the members are known that are looked at here. */
export type Message = {
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> | null } | null
}

export const nameOfCalledTool = ({ method, params }: Message): unknown =>
  method === 'tools/call' ? params?.name : undefined
