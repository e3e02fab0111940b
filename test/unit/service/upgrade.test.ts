import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { type Store, upgradeStore } from '../../../src/service/upgrade.ts'

test('a store is marked before the first of its datastores is changed', async () => {
  const marked = Promise.withResolvers<void>()
  const datastore = { id: 'dst_1', workspace: 'ann', value: { name: 'library' } }
  const replace = vi.fn(async () => undefined)
  const store = {
    database: { exclusive: true },
    storeFormat: { isCurrent: async () => false, write: () => marked.promise },
    records: { ofWorkspaces: async () => [datastore], replace },
    fragments: { refuse: () => undefined },
  } as unknown as Store
  const upgrading = upgradeStore(store, pino({ level: 'silent' }))
  await setImmediate()
  expect(replace).not.toHaveBeenCalled()
  marked.resolve()
  await upgrading
  expect(replace).toHaveBeenCalledOnce()
})
