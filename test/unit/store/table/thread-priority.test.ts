import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { fragmentSchema, toTable } from '../../../../src/store/fragments/rows.ts'
import { documentVersion } from '../../../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../../../support/server.ts'

const threads = '/proc/self/task'

/** The names and priorities of this process's threads; one may end meanwhile. */
const allThreads = () =>
  readdirSync(threads).flatMap((id) => {
    try {
      const name = readFileSync(`${threads}/${id}/comm`, 'utf8').trim()
      return [{ name, priority: getPriority(Number(id)) }]
    } catch {
      return []
    }
  })

test.skipIf(process.platform !== 'linux')(
  'LanceDB’s threads come after the event loop, which keeps its own place',
  async () => {
    const database = await openDatabase(await temporaryDirectory())
    const table = await database.createTable('fragments', fragmentSchema(2))
    await table.commit(1, (lance) => lance.add(toTable([documentVersion('a')])))
    await table.read((lance) => lance.query().where("datasource_id = 'a'").toArray())
    const ofLance = allThreads().filter(({ name }) => /^(?:lance|tokio)/.test(name))
    expect(ofLance.map(({ name }) => name)).toContain('lance-cpu')
    const own = getPriority(process.ppid)
    expect(new Set(ofLance.map(({ priority }) => priority))).toEqual(
      new Set([Math.min(19, own + 5)]),
    )
    expect(getPriority(process.pid)).toBe(own)
  },
)
