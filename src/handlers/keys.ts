import type { Key } from '../../generated/types.gen.ts'
import type { Keys, StoredKey } from '../domain/keys.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, toWirePage } from './paging.ts'

export const keyHandlers = (keys: Keys) =>
  ({
    createKey: async ({ body, caller, deadline }, reply) => {
      const { stored, key } = await keys.create(caller, body, deadline)
      return reply(201, { ...toWire(stored), key }, { Location: `/keys/${stored.id}` })
    },

    listKeys: async ({ query, caller }, reply) => {
      const page = await keys.list(caller, query.limit, fromCursor(query.cursor, 'keys'))
      return reply(200, toWirePage(page, 'keys', toWire))
    },

    getCurrentKey: async ({ caller }, reply) =>
      reply(200, { ...toWire(await keys.get(caller, caller.keyId)), scopes: caller.scopes }),

    getKey: async ({ path, caller }, reply) => reply(200, toWire(await keys.get(caller, path.id))),

    revokeKey: async ({ path, caller, deadline }, reply) =>
      reply(200, toWire(await keys.revoke(caller, path.id, deadline))),
  }) satisfies Partial<Handlers>

const toWire = ({ id, workspace, createdAt, value }: StoredKey): Key => ({
  id,
  name: value.name,
  workspace,
  scopes: value.scopes,
  createdAt,
  expiresAt: value.expiresAt,
  lastUsedAt: value.lastUsedAt,
  revokedAt: value.revokedAt,
})
