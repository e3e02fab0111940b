import type { Metrics } from '../process/metrics.ts'
import type { Handlers } from './handler.ts'

export const metricsHandlers = (metrics: Metrics) =>
  ({
    getMetrics: async (_request, reply) =>
      reply(200, await metrics.text(), { 'Content-Type': metrics.contentType }),
  }) satisfies Partial<Handlers>
