import type { Handlers } from '../../src/handlers/handler.ts'
import type { openApp } from '../../src/service/open-app.ts'

/** Read by `npm run check:lint`: an error that is expected and missing fails there. */

type Liveness = Pick<Handlers, 'getLiveness'>

export const sound: Liveness = {
  getLiveness: async (_request, reply) => reply(200, { status: 'ok' }),
}

export const aValueThatIsNotAllowed: Liveness = {
  // @ts-expect-error The contract has another one.
  getLiveness: async (_request, reply) => reply(200, { status: 'fine' }),
}

export const aFieldTooMany: Liveness = {
  // @ts-expect-error The contract does not know it.
  getLiveness: async (_request, reply) => reply(200, { status: 'ok', uptime: 1 }),
}

export const aFieldMissing: Liveness = {
  // @ts-expect-error The contract requires it.
  getLiveness: async (_request, reply) => reply(200, {}),
}

export const aStatusThatIsNotGiven: Liveness = {
  // @ts-expect-error The contract gives 200.
  getLiveness: async (_request, reply) => reply(201, { status: 'ok' }),
}

export const noReply: Liveness = {
  // @ts-expect-error Only `reply` is checked against the contract.
  getLiveness: async () => ({ status: 200, body: { status: 'ok' } }),
}

declare const allButOne: Omit<Handlers, 'getLiveness'>

// @ts-expect-error Each operation of the contract has its handler.
export const withoutAHandler: Parameters<typeof openApp>[1] = allButOne
