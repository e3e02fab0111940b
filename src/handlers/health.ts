import { Unavailable } from '../errors.ts'
import type { Handlers } from './handler.ts'

/** `ready` settles when the store answers. */
export const healthHandlers = (ready: () => Promise<unknown>) =>
  ({
    getLiveness: async (_request, reply) => reply(200, { status: 'ok' }),

    getReadiness: async (_request, reply) => {
      try {
        await ready()
      } catch (cause) {
        throw new Unavailable('The store does not answer.', { cause })
      }
      return reply(200, { status: 'ok' })
    },
  }) satisfies Partial<Handlers>
