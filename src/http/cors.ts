import type { RequestHandler } from 'express'

/** Lets pages of these origins, or of any with `*`, call the service. Keys go in a header, so no cookie is allowed. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const isOpen = origins.includes('*')
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

const exposed = 'WWW-Authenticate, ETag, Location, Retry-After, X-Request-Id'

const preflight = {
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key',
  'Access-Control-Max-Age': '600',
}
