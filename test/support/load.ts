import type { Client } from '../../generated/client/index.ts'
import { Gone } from './answers.ts'
import { changeAgents, changeDatastores, changeKeys, makeDatastore } from './load-of-records.ts'
import { deleteDocument, repeatUpsert, updateDocument, upsertDocuments } from './load-of-texts.ts'
import type { WriteHistory, Writer } from './write-history.ts'
import type { Random } from './random.ts'

const clients = 8

/**
 * Several clients that write one thing of any kind after the other, until the server is gone.
 * @throws where the server refuses something
 */
export async function runLoad(
  client: Client,
  history: WriteHistory,
  random: Random,
): Promise<void> {
  const writers = Array.from({ length: clients }, (_, owner) => ({
    client,
    history,
    random,
    owner,
  }))
  await untilGone(async () => {
    // All of them work on the first.
    if (history.datastores.length === 0) await makeDatastore(writers[0]!)
    for (const end of await Promise.allSettled(writers.map(work))) {
      if (end.status === 'rejected') throw end.reason
    }
  })
}

const work = (writer: Writer): Promise<void> =>
  untilGone(async () => {
    for (;;) await step(writer)
  })

async function untilGone(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}

function step(writer: Writer): Promise<void> {
  const dice = writer.random.below(100)
  if (dice < 35) return upsertDocuments(writer)
  if (dice < 60) return updateDocument(writer)
  if (dice < 75) return deleteDocument(writer)
  if (dice < 80) return repeatUpsert(writer)
  if (dice < 93) return changeAgents(writer)
  if (dice < 97) return changeKeys(writer)
  return changeDatastores(writer)
}
