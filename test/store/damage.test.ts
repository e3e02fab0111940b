import { readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { filesOf } from '../support/files.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { canTrace } from '../support/strace.ts'
import { makeDatastore } from '../support/things.ts'

/** More than a power cut can leave torn. */
const datastores = 8

/** A store whose datastores were made one after the other, and the oldest file of their table. */
async function storeOfDatastores() {
  const directory = await temporaryDirectory()
  const { client, close } = await startServer({ dataUri: directory })
  for (let n = 0; n < datastores; n++) await makeDatastore(client, `datastore ${n}`)
  await close()
  const folder = join(directory, 'datastores.lance', 'data')
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const file = join(folder, name)
      return { file, time: (await stat(file)).mtimeMs }
    }),
  )
  return { directory, files: files.toSorted((a, b) => a.time - b.time).map(({ file }) => file) }
}

describe('what is no torn head', () => {
  test('an old file that is damaged stops the start, and nothing is changed', async () => {
    const { directory, files } = await storeOfDatastores()
    await truncate(files[1]!, 0)
    const before = await filesOf(join(directory, 'datastores.lance'))
    await expect(startServer({ dataUri: directory })).rejects.toThrow(
      /The table datastores is damaged, and not as a power cut leaves it.*DURABILITY=os/,
    )
    expect(await filesOf(join(directory, 'datastores.lance'))).toEqual(before)

    // What was lost with it is not made worse: the tables of those datastores stay.
    const { close } = await startServer({ dataUri: directory, durability: 'os' })
    await close()
    const tables = (await readdir(directory)).filter((name) => name.startsWith('fragments_'))
    expect(tables).toHaveLength(datastores)
  })

  test.runIf(canTrace).each(['ESTALE', 'ETIMEDOUT', 'EIO', 'EMFILE', 'EPERM', 'EAGAIN'])(
    'a fault that passes (%s) stops the start, and the next has everything',
    async (fault) => {
      const { directory, files } = await storeOfDatastores()
      const inject = `inject=openat,open:error=${fault}`
      const options = ['-f', '-o', '/dev/null', '-P', files.at(-1)!, '-e', 'trace=openat,open']
      const wrapper = ['strace', ...options, '-e', inject]
      await expect(spawnServer({ DATA_URI: directory }, { wrapper })).rejects.toThrow('store')
      const { client } = await startServer({ dataUri: directory })
      const { data } = await sdk.listDatastores({ client, throwOnError: true })
      expect(data.data).toHaveLength(datastores)
    },
  )
})
