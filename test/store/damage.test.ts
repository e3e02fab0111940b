import { readdir, stat, truncate } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { filesOf } from '../support/files.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { canTrace } from '../support/strace.ts'
import { makeDatastore } from '../support/things.ts'
import { copyOf } from '../support/whole-store.ts'

/** More than a power cut can leave torn. */
const datastores = 8

/** A closed store whose datastores were made one after the other, and the files of their table by age. */
async function storeOfDatastores() {
  const directory = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri: directory })
  for (let n = 0; n < datastores; n++) await makeDatastore(client, `datastore ${n}`)
  await close()
  const folder = join(directory, 'datastores.lance', 'data')
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const file = join(folder, name)
      return { file: relative(directory, file), time: (await stat(file)).mtimeMs }
    }),
  )
  return { directory, files: files.toSorted((a, b) => a.time - b.time).map(({ file }) => file) }
}

const { directory, files } = await storeOfDatastores()

test('an old file that is damaged stops the start, and nothing is changed', async () => {
  const dataUri = await copyOf(directory)
  await truncate(join(dataUri, files[1]!), 0)
  const before = await filesOf(join(dataUri, 'datastores.lance'))
  await expect(openServer({ dataUri })).rejects.toThrow(
    /The table datastores is damaged, and not as a power cut leaves it.*DURABILITY=os/,
  )
  expect(await filesOf(join(dataUri, 'datastores.lance'))).toEqual(before)

  // What was lost with it is not made worse: the tables of those datastores stay.
  const { close } = await openServer({ dataUri, durability: 'os' })
  await close()
  const tables = (await readdir(dataUri)).filter((name) => name.startsWith('fragments_'))
  expect(tables).toHaveLength(datastores)
})

const passing = ['ESTALE', 'EMFILE', 'ETIMEDOUT', 'EIO', 'EPERM', 'EAGAIN']
const faults = process.env.DAMAGE_SEEDS ? passing : passing.slice(0, 2)

test.runIf(canTrace)(
  'a fault that passes stops the start, and the next has everything',
  { tags: 'deep' },
  async () => {
    for (const fault of faults) {
      const inject = ['-e', 'trace=openat,open', '-e', `inject=openat,open:error=${fault}`]
      const file = join(directory, files.at(-1)!)
      const wrapper = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', '-P', file, ...inject]
      const started = spawnServer({ DATA_URI: directory }, { wrapper })
      await expect(started, fault).rejects.toThrow('store')
    }
    const { client, close } = await openServer({ dataUri: directory })
    onTestFinished(close)
    const { data } = await sdk.listDatastores({ client, throwOnError: true })
    expect(data.data).toHaveLength(datastores)
  },
)
