import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Datastores } from '../domain/datastores.ts'
import type { Keys } from '../domain/keys.ts'
import type { Handlers } from '../handlers/handler.ts'
import type { Admissions } from '../http/admission.ts'
import { createApp } from '../http/app.ts'
import { openContract } from '../http/contract.ts'
import { allowOrigins, corsHeadersOf } from '../http/cors.ts'
import { createMcpRoute, mcpHeaders } from '../http/mcp-route.ts'
import { createPages } from '../http/pages/pages.ts'
import { createMcp } from '../mcp/mcp.ts'
import type { Log } from '../process/log.ts'
import type { Metrics } from '../process/metrics.ts'

type Parts = { keys: Keys; datastores: Datastores; metrics: Metrics }
type AppConfig = Pick<Config, 'requestTimeout'> & Partial<Pick<Config, 'corsOrigins'>>

export async function openApp(
  { requestTimeout, corsOrigins = [] }: AppConfig,
  handlers: Handlers,
  { keys, datastores, metrics }: Parts,
  log: Log,
): Promise<RequestListener> {
  const { document, pages } = (generated ??= await readGenerated())
  const contract = await openContract({ document, handlers, keys, requestTimeout })
  const mcp = createMcp({ document, call: contract.call, datastores })
  const { admissions } = contract
  metrics.collectInFlight(() => requestsIn(admissions))
  const { sent, read } = corsHeadersOf(document.components)
  return createApp({
    contract: contract.handle,
    mcp: createMcpRoute({ mcp, keys, admissions, requestTimeout, corsOrigins, log }),
    pages,
    ...(corsOrigins.length > 0 && {
      cors: allowOrigins(corsOrigins, { sent: [...sent, ...mcpHeaders], read }),
    }),
    log,
    metrics,
  })
}

/** Read once, because servers of one process share its validators and pages. */
let generated: Awaited<ReturnType<typeof readGenerated>> | undefined

/** The contract as it is handed out, which is that of `openapi.yaml`, and the pages that show it. */
async function readGenerated() {
  const folder = join(import.meta.dirname, '../../generated')
  const [json, yaml] = await Promise.all([
    readFile(join(folder, 'openapi.json'), 'utf8'),
    readFile(join(folder, 'openapi.yaml'), 'utf8'),
  ])
  const document = JSON.parse(json)
  return { document, pages: createPages(document, yaml) }
}

const requestsIn = (admissions: Admissions): Record<string, number> =>
  Object.fromEntries(Object.entries(admissions).map(([kind, { requests }]) => [kind, requests]))
