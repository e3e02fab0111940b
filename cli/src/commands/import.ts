import type { Command } from 'commander'
import type { AgentsDatastores } from '../../../client/src/index.ts'
import { concurrently } from '../concurrently.ts'
import { exitCodes } from '../exit-codes.ts'
import { CommandFailed } from '../failures.ts'
import { isLackingScope } from '../agent-to-ask.ts'
import { faultOfPath, messageOf } from '../messages.ts'
import { datastoreIdOrNew, isIdOf } from '../names.ts'
import { countOf } from '../option-values.ts'
import { counted } from '../output/numbers.ts'
import { note, printAs } from '../output/print.ts'
import { startProgress } from '../output/progress.ts'
import { openSession } from '../session.ts'
import { batchesOf, type Read } from '../transfer/batches.ts'
import { type Head, type Line, readLine } from '../transfer/line.ts'
import type { NumberedLine } from '../transfer/numbered-lines.ts'
import { openExport } from '../transfer/open-export.ts'
import { putBatch } from '../transfer/put-batch.ts'

const help = `
A line is a JSON object like {"key": "hours", "name": "Opening hours", "metadata": null, "text": "…"};
only key and text are needed. A first line {"datastore": {"description": "…", "fragmentLength": 300}}
says how a datastore is made with --create. Each document is put under its key, so that an import that was cut
short is finished by running it again: nothing is stored twice, and what is stored is not embedded
again. A document without a key stays as it is in the datastore that the export is of. A line that
fails is named with its reason, the others go on, and the exit code is 1.

Examples:
  $ agents-datastores import library library.jsonl --create
  $ agents-datastores export library | agents-datastores --url https://other.example --key ads_… import library - --create`

export function addImport(program: Command): void {
  program
    .command('import')
    .description('put an export into a datastore')
    .argument('<datastore>', 'its name or id')
    .argument('<file>', 'JSON Lines; - is standard input')
    .option('--create', 'make the datastore if there is none of that name')
    .option('--concurrency <n>', 'how many requests at a time, of up to 100 documents', countOf, 4)
    .addHelpText('after', help)
    .action(run)
}

type Options = { create?: true; concurrency: number }

async function run(name: string, file: string, options: Options, command: Command) {
  const { head, count, documents } = await openExport(file).catch((error) => {
    const fault = faultOfPath(error)
    throw new CommandFailed(fault ? `${file} ${fault}.` : messageOf(error))
  })
  const { client, isJson, signal } = openSession(command)
  const datastore = await datastoreIdOrNew(client, name, options.create === true, head)
  if (head) await tellOther(client, datastore, head)
  const progress = startProgress(count, 'document')
  const done = { imported: 0, failed: 0, left: 0 }
  const isLeft = keylessIn(client, datastore, signal)
  try {
    const fail = (number: number, reason: string) => {
      done.failed += 1
      progress.note(`failed  line ${number} ${reason}`)
    }
    const refuse = (number: number, reason: string) => {
      fail(number, reason)
      progress.advance()
    }
    const leave = async ({ key }: Line) => {
      if (!(await isLeft(key))) return false
      done.left += 1
      progress.advance()
      return true
    }
    const batches = batchesOf(documentsIn(documents, refuse, leave))
    const work = { concurrency: options.concurrency, signal }
    await concurrently(batches, work, async (batch, stop) => {
      const failures = await putBatch(client, datastore, batch, stop)
      for (const { number, reason } of failures) fail(number, reason)
      done.imported += batch.length - failures.length
      for (const _ of batch) progress.advance()
    })
  } finally {
    progress.finish()
    const rest = signal.aborted ? ' Stopped; run it again to finish.' : ''
    const left = done.left > 0 ? `, ${done.left} left as they are` : ''
    const failed = done.failed > 0 ? `, ${done.failed} failed` : ''
    const imported = `${counted(done.imported, 'document')} imported`
    await printAs(isJson, done, `${imported}${left}${failed}.${rest}`)
  }
  if (done.failed > 0) process.exitCode = exitCodes.failed
}

/** A key that may only write cannot look. */
async function tellOther(client: AgentsDatastores, id: string, head: Partial<Head>): Promise<void> {
  const own = await client.getDatastore(id).catch((error: unknown) => {
    if (isLackingScope(error)) return undefined
    throw error
  })
  if (!own) return
  const { name, description, fragmentLength } = own
  const told = { description, fragmentLength, ...head }
  if (description === told.description && fragmentLength === told.fragmentLength) return
  note(
    `${name} keeps its own description and its fragment length, ${fragmentLength}; the export has ${told.fragmentLength}.`,
  )
}

/** Whether a key is the id of a document without a key. They are listed when the first key looks like one. */
function keylessIn(client: AgentsDatastores, datastore: string, signal: AbortSignal) {
  let ids: Promise<Set<string>> | undefined
  const list = async () => {
    const all = new Set<string>()
    for await (const { key, id } of client.listDatasources(datastore, { limit: 100 }, { signal })) {
      if (key === null) all.add(id)
    }
    return all
  }
  return async (key: string) => isIdOf('src', key) && (await (ids ??= list())).has(key)
}

/** Reports lines that are no documents or repeat a key, and continues. */
async function* documentsIn(
  lines: AsyncIterable<NumberedLine>,
  refuse: (number: number, reason: string) => void,
  leave: (line: Line) => Promise<boolean>,
): AsyncGenerator<Read> {
  const lineOfKey = new Map<string, number>()
  for await (const { number, line } of lines) {
    const read = readOrReason(line)
    if (typeof read === 'string') {
      refuse(number, read)
      continue
    }
    const earlier = lineOfKey.get(read.key)
    if (earlier !== undefined) refuse(number, `has the key of line ${earlier}`)
    else if (!(await leave(read))) yield { number, line: read }
    lineOfKey.set(read.key, earlier ?? number)
  }
}

function readOrReason(line: string | undefined): ReturnType<typeof readLine> | string {
  if (line === undefined) return 'is no UTF-8'
  try {
    return readLine(line)
  } catch (error) {
    return messageOf(error)
  }
}
