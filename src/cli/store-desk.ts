import type { Key } from '../../generated/types.gen.ts'
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
      const found: Key[] = []
      for (
        let page = await keys.list(operator, 1000);
        ;
        page = await keys.list(operator, 1000, page.last)
      ) {
        found.push(...page.items.map(toWire))
        if (!page.last) return found
      }
    },
    close: () => store.close(),
  }
}
