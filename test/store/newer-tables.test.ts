import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { AgentFields } from '../../src/domain/agents.ts'
import { toPending } from '../../src/domain/pending.ts'
import { RecordTable } from '../../src/store/records/records.ts'
import { openDatabase, openServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeConversation } from '../support/things.ts'
import { storeCommand } from '../support/store-command.ts'

const newer = ['knowledge', 'messages']

/** A store as a version left it that knew nothing of these tables. */
async function olderStore(): Promise<{ dataUri: string; agent: string }> {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const { id: agent } = await makeAgent(client)
  await close()
  const notes = join(dataUri, 'store.lance', 'versions.json')
  const noted = JSON.parse(await readFile(notes, 'utf8'))
  for (const table of newer) {
    await rm(join(dataUri, `${table}.lance`), { recursive: true })
    delete noted[table]
  }
  await writeFile(notes, JSON.stringify(noted))
  return { dataUri, agent }
}

test(
  'a store of an earlier version is whole, gets the tables it lacks, and nothing is told',
  { tags: 'deep' },
  async () => {
    const { dataUri, agent: id } = await olderStore()
    expect(await storeCommand(dataUri, 'check')).toMatchObject({
      isWhole: true,
    })
    const { client, close, logged } = await openServer({ dataUri })
    const body = { datastoreIds: [], noAnswer: 'Ask Ann.' }
    await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
    const conversation = await makeConversation(client, id)
    await close()
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
    const again = await openServer({ dataUri })
    const kept = await sdk.getConversation({ client: again.client, path: { id: conversation } })
    await again.close()
    expect(kept.data?.messages[1]?.content).toBe('Ask Ann.')
  },
)

/** What a crash leaves that comes between the steps of deleting an agent. */
async function beginRemoval(dataUri: string, id: string): Promise<void> {
  const database = await openDatabase(dataUri)
  const records = await RecordTable.open<AgentFields>(database, 'agents')
  const deleting = toPending({ doing: 'deleting', workspace: 'default' })
  await records.move((await records.get(id))!, deleting)
  await records.idle()
  database.close()
}

test('what a crash left of a deleted agent goes at the next start', { tags: 'deep' }, async () => {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const { id } = await makeAgent(client)
  const conversation = await makeConversation(client, id)
  await close()
  await beginRemoval(dataUri, id)
  const again = await openServer({ dataUri })
  const status = async () =>
    (await sdk.getConversation({ client: again.client, path: { id: conversation } })).response
      ?.status
  expect(await status()).toBe(404)
  await again.close()
  const { text } = await storeCommand(dataUri, 'check')
  expect(text).toMatch(/^messages {2}0 rows/m)
  expect(text).toMatch(/^agents {2}0 rows/m)
})
