import type { StoreKind } from '../config/config-values.ts'
import { StorageFull, Unavailable } from '../errors/errors.ts'
import type { Metrics } from '../process/metrics.ts'
import type { Handlers } from './handler.ts'

const full = 'The disk is full, so nothing can be stored or deleted. Make room on it.'

/** `ready` settles when the store answers, with its kind. */
export const healthHandlers = (ready: () => Promise<StoreKind>, metrics: Metrics) =>
  ({
    getLiveness: async (_request, reply) => reply(200, { status: 'ok' }),

    getReadiness: async (_request, reply) => {
      try {
        return reply(200, { status: 'ok', store: await ready() })
      } catch (cause) {
        if (cause instanceof Unavailable) throw cause
        const isFull = cause instanceof StorageFull
        throw new Unavailable(isFull ? full : 'The store does not answer.', { cause })
      }
    },

    getMetrics: async (_request, reply) =>
      reply(200, await metrics.text(), { 'Content-Type': metrics.contentType }),
  }) satisfies Partial<Handlers>
