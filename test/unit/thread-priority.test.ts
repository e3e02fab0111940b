import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { documentVersion } from '../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

const threads = '/proc/self/task'

const namesOf = (id: string) => readFileSync(`${threads}/${id}/comm`, 'utf8').trim()

test.skipIf(process.platform !== 'linux')(
  'LanceDB’s threads come after the event loop, and after nobody else’s',
  async () => {
    const database = await openDatabase(await temporaryDirectory())
    const table = await database.createTable('fragments', fragmentSchema(2))
    await table.commit(1, (lance) => lance.add(toTable([documentVersion('a')])))
    await table.read((lance) => lance.query().where("datasource_id = 'a'").toArray())
    const all = readdirSync(threads).map((id) => [namesOf(id), getPriority(Number(id))] as const)
    const ofLance = all.filter(([name]) => /^(?:lance|tokio)/.test(name))
    expect(ofLance.map(([name]) => name)).toContain('lance-cpu')
    const own = getPriority(process.ppid)
    expect(new Set(ofLance.map(([, priority]) => priority))).toEqual(new Set([Math.max(5, own)]))
    expect(getPriority(process.pid)).toBe(own)
  },
)
