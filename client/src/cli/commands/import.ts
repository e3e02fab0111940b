import type { Command } from 'commander'
import type { AgentsDatastores } from '../../index.ts'
import { concurrently } from '../concurrently.ts'
import { exitCodes } from '../exit-codes.ts'
import { CommandFailed } from '../failures.ts'
import { faultOfPath, isOfOne, messageOf } from '../messages.ts'
import { datastoreIdOrNew } from '../names.ts'
import { countOf } from '../option-values.ts'
import { counted } from '../output/numbers.ts'
import { printAs } from '../output/print.ts'
import { startProgress } from '../output/progress.ts'
import { openSession } from '../session.ts'
import { maxRetries } from '../ingest/upload.ts'
import { readLine } from '../transfer/line.ts'
import { countLines, type NumberedLine, numberedLines } from '../transfer/numbered-lines.ts'

const help = `
A line is a JSON object like {"key": "hours", "name": "Opening hours", "metadata": null, "text": "…"};
only key and text are needed. Each document is put under its key, so that an import that was cut
short is finished by running it again: nothing is stored twice, and what is stored is not embedded
again. A line that fails is named with its reason, the others go on, and the exit code is 1.

Examples:
  $ agents-datastores import library library.jsonl --create
  $ agents-datastores export library | agents-datastores --url https://other.example import library -`

export function addImport(program: Command): void {
  program
    .command('import')
    .description('put an export into a datastore')
    .argument('<datastore>', 'its name or id')
    .argument('<file>', 'JSON Lines; - is standard input')
    .option('--create', 'make the datastore if there is none of that name')
    .option('--concurrency <n>', 'how many documents at a time', countOf, 16)
    .addHelpText('after', help)
    .action(run)
}

type Options = { create?: true; concurrency: number }

async function run(name: string, file: string, options: Options, command: Command) {
  const count = await countLines(file).catch((error) => {
    const fault = faultOfPath(error)
    throw new CommandFailed(fault ? `${file} ${fault}.` : messageOf(error))
  })
  const { client, isJson, signal } = openSession(command)
  const datastore = await datastoreIdOrNew(client, name, options.create === true)
  const progress = startProgress(count, 'document')
  const done = { imported: 0, failed: 0 }
  try {
    const work = { concurrency: options.concurrency, signal }
    await concurrently(numberedLines(file), work, async (line, stop) => {
      const reason = await importLine(client, datastore, line, stop)
      progress.advance()
      if (reason === undefined) done.imported += 1
      else {
        done.failed += 1
        progress.note(`failed  line ${line.number} ${reason}`)
      }
    })
  } finally {
    progress.finish()
    const rest = signal.aborted ? ' Stopped; run it again to finish.' : ''
    const failed = done.failed > 0 ? `, ${done.failed} failed` : ''
    await printAs(isJson, done, `${counted(done.imported, 'document')} imported${failed}.${rest}`)
  }
  if (done.failed > 0) process.exitCode = exitCodes.failed
}

/** Answers why it failed, or undefined when it is stored. @throws what is no matter of this line alone */
async function importLine(
  client: AgentsDatastores,
  datastore: string,
  { line }: NumberedLine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const read = readOrReason(line)
  if (typeof read === 'string') return read
  const { key, ...document } = read
  try {
    await client.putDocument(datastore, key, document, { signal, maxRetries })
    return undefined
  } catch (error) {
    if (!isOfOne(error)) throw error
    return `(${key}) ${messageOf(error)}`
  }
}

function readOrReason(line: string): ReturnType<typeof readLine> | string {
  try {
    return readLine(line)
  } catch (error) {
    return messageOf(error)
  }
}
