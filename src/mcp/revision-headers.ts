import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { type Message, nameOfCalledTool } from './message.ts'

/**
 * Makes headers agree with the message. Claude's client names an older revision in its headers, which the
 * library refuses; the message counts, because no header routes anything here.
 */
export function agreeing(message: Message, headers: Headers): Headers {
  const named = headers.get('mcp-protocol-version')
  const { _meta: meta } = message.params ?? {}
  const claimed = meta?.[PROTOCOL_VERSION_META_KEY]
  if (named === null || typeof claimed !== 'string' || !(named < claimed)) return headers
  const agreed = new Headers(headers)
  const ofMessage = {
    'mcp-protocol-version': claimed,
    'mcp-method': headers.get('mcp-method') ?? message.method,
    'mcp-name': headers.get('mcp-name') ?? nameOfCalledTool(message),
  }
  for (const [name, value] of Object.entries(ofMessage)) {
    if (typeof value === 'string' && fitsHeader(value)) agreed.set(name, value)
  }
  return agreed
}

const fitsHeader = (text: string): boolean => /^[\x21-\x7e]{1,256}$/.test(text)
