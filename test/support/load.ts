import type { Client } from '../../generated/client/index.ts'
import { Gone } from './answers.ts'
import { changeAgents, changeDatastores, changeKeys, makeDatastore } from './load-of-records.ts'
import { deleteDocument, repeatUpsert, updateDocument, upsertDocuments } from './load-of-texts.ts'
import type { Notebook } from './notebook.ts'
import type { Random } from './random.ts'
import type { Worker } from './worker.ts'

const clients = 8

/**
 * Several clients that write one thing of any kind after the other, until the server is gone.
 * @throws where the server refuses something
 */
export async function runLoad(client: Client, notebook: Notebook, random: Random): Promise<void> {
  const workers = Array.from({ length: clients }, (_, owner) => ({
    client,
    notebook,
    random,
    owner,
  }))
  await untilGone(async () => {
    // All of them work on the first.
    if (notebook.datastores.length === 0) await makeDatastore(workers[0]!)
    for (const end of await Promise.allSettled(workers.map(work))) {
      if (end.status === 'rejected') throw end.reason
    }
  })
}

const work = (worker: Worker): Promise<void> =>
  untilGone(async () => {
    for (;;) await step(worker)
  })

async function untilGone(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}

function step(worker: Worker): Promise<void> {
  const dice = worker.random.below(100)
  if (dice < 35) return upsertDocuments(worker)
  if (dice < 60) return updateDocument(worker)
  if (dice < 75) return deleteDocument(worker)
  if (dice < 80) return repeatUpsert(worker)
  if (dice < 93) return changeAgents(worker)
  if (dice < 97) return changeKeys(worker)
  return changeDatastores(worker)
}
