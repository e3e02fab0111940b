import { readHttpUrl } from './config-values.ts'
import { readConfig } from './config.ts'

export const clientSettings = ['SERVICE_URL', 'API_KEY'] as const

type ClientConfig = {
  serviceUrl: string
  isServiceNamed: boolean
  apiKey: string | undefined
}

/** The default address is that of the server that these settings start. */
export function readClientConfig(env: NodeJS.ProcessEnv): ClientConfig {
  const { port, host } = readConfig(env)
  const local = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ])
  const address = local.get(host) ?? host
  const ownUrl = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  return {
    serviceUrl: env.SERVICE_URL ? readHttpUrl('SERVICE_URL', env.SERVICE_URL) : ownUrl,
    isServiceNamed: Boolean(env.SERVICE_URL),
    apiKey: env.API_KEY || undefined,
  }
}
