import type { RequestHandler } from 'express'

type CorsHeaders = { sent: string[]; read: string[] }

type Declared = {
  parameters?: Record<string, { name: string; in: string } | { $ref: string }>
  headers?: object
}

export function corsHeadersOf({ parameters = {}, headers = {} }: Declared): CorsHeaders {
  const declared = Object.values(parameters).flatMap((one) =>
    'in' in one && one.in === 'header' ? one.name : [],
  )
  const sent = new Set(['Authorization', 'Content-Type', ...declared])
  return { sent: [...sent], read: Object.keys(headers) }
}

/** Lets pages of these origins, or of any with `*`, call the service. Keys go in a header, so cookies do not. */
export function allowOrigins(origins: readonly string[], headers: CorsHeaders): RequestHandler {
  const isOpen = origins.includes('*')
  const exposed = headers.read.join(', ')
  const preflight = {
    'Access-Control-Allow-Headers': headers.sent.join(', '),
    'Access-Control-Max-Age': '600',
  }
  return (request, response, next) => {
    const origin = request.get('Origin')
    if (!isOpen) response.vary('Origin')
    if (origin !== undefined && (isOpen || origins.includes(origin))) {
      response.set({
        'Access-Control-Allow-Origin': isOpen ? '*' : origin,
        'Access-Control-Expose-Headers': exposed,
      })
      if (request.method === 'OPTIONS') response.set(preflight)
    }
    next()
  }
}
