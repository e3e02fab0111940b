import type { Command } from 'commander'
import { pMapIterable } from 'p-map'
import { type AgentsDatastores, type Datasource, ProblemError } from '../../../client/src/index.ts'
import { datastoreId } from '../names.ts'
import { countOf } from '../option-values.ts'
import { counted } from '../output/numbers.ts'
import { note, print, write } from '../output/print.ts'
import { startProgress } from '../output/progress.ts'
import { openSession } from '../session.ts'
import { headOf, lineOf } from '../transfer/line.ts'

const help = `
A line is a JSON object with the key, name, metadata and text of a document; lines are in the order
of the keys. A document without a key of its own has its id for one. The first line holds the
datastore's description and fragment length, unless they are the defaults. An export can be imported
again, also by a server with another embedding model.

Examples:
  $ agents-datastores export library > library.jsonl
  $ agents-datastores export library | agents-datastores import copy - --create`

/** No request puts a document with its pages. */
const lostPages =
  'the export does not hold where they begin, so answers from a copy name no page. Ingest the files instead.'

export function addExport(program: Command): void {
  program
    .command('export')
    .description('print the documents of a datastore as JSON Lines')
    .argument('<datastore>', 'its name or id')
    .option('--concurrency <n>', 'how many documents at a time', countOf, 16)
    .addHelpText('after', help)
    .action(run)
}

async function run(name: string, { concurrency }: { concurrency: number }, command: Command) {
  const { client, signal } = openSession(command)
  const id = await datastoreId(client, name)
  const head = headOf(await client.getDatastore(id, { signal }))
  const stored = await keysAndIds(client, id, signal)
  const progress = startProgress(stored.length, 'document')
  const documents = pMapIterable(stored, (one) => exported(client, id, one, signal), {
    concurrency,
    backpressure: concurrency * 2,
  })
  let withPages = 0
  try {
    if (head !== undefined) await print(head)
    for await (const document of documents) {
      if (document !== undefined) await write(`${lineOf(document)}\n`)
      if (document?.pages !== undefined) withPages += 1
      progress.advance()
    }
  } finally {
    progress.finish()
  }
  if (withPages > 0) note(`${counted(withPages, 'document')} with pages: ${lostPages}`)
}

type KeyAndId = { key: string; id: string }

async function keysAndIds(
  client: AgentsDatastores,
  datastore: string,
  signal: AbortSignal,
): Promise<KeyAndId[]> {
  const all: KeyAndId[] = []
  for await (const { key, id } of client.listDatasources(datastore, { limit: 100 }, { signal })) {
    all.push({ key: key ?? id, id })
  }
  return all.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** Undefined where it has been deleted meanwhile. */
async function exported(
  client: AgentsDatastores,
  datastore: string,
  { key, id }: KeyAndId,
  signal: AbortSignal,
): Promise<(Datasource & { key: string }) | undefined> {
  try {
    return { ...(await client.getDatasource(datastore, id, { signal })), key }
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined
    throw error
  }
}
