import type { Config } from '../config.ts'
import { Deadline } from '../deadline.ts'
import { operator } from '../domain/keys.ts'
import { toWire } from '../handlers/keys.ts'
import { openKeys } from '../service.ts'
import type { KeyDesk } from './key-desk.ts'

/**
 * Keys by way of the store itself, which is for whoever may use the machine.
 * @throws StartupError when a server has the store
 */
export async function openStore(
  config: Pick<Config, 'dataUri' | 'requestTimeout'>,
): Promise<KeyDesk> {
  const store = await openKeys(config)
  const { keys } = store
  const deadline = new Deadline(config.requestTimeout)
  return {
    create: async (body) => {
      const { stored, key } = await keys.create(operator, body, deadline)
      return { ...toWire(stored), key }
    },
    revoke: async (id) => toWire(await keys.revoke(operator, id, deadline)),
    list: async () => {
      const { items } = await keys.list(operator, Number.MAX_SAFE_INTEGER)
      return items.map(toWire)
    },
    close: async () => {
      deadline.begin()
      await store.close()
    },
  }
}
