import type { Command } from 'commander'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { choiceOf } from '../ingest/choice.ts'
import { standardInput } from '../ingest/file-content.ts'
import { findFiles } from '../ingest/find-files.ts'
import type { Found } from '../ingest/found-file.ts'
import { deleteGone, ingest, removerOf } from '../ingest/ingest.ts'
import type { Outcome } from '../ingest/outcome.ts'
import type { Metadata } from '../ingest/provenance.ts'
import { storedDocuments } from '../ingest/stored-documents.ts'
import { Tally } from '../ingest/tally.ts'
import { uploadTo } from '../ingest/upload.ts'
import { datastoreIdOrNew } from '../names.ts'
import { collect, countOf, jsonObjectOf } from '../option-values.ts'
import { printAs } from '../output/print.ts'
import { startProgress } from '../output/progress.ts'
import { openSession, type Session } from '../session.ts'

type Options = {
  create?: true
  delete?: true
  include?: string[]
  exclude?: string[]
  prefix?: string
  as?: string
  metadata?: Metadata
  overwrite?: true
  dryRun?: true
  verbose?: true
  concurrency: number
}

const help = `
Each file is a document whose key is its path: below the folder that was given, or as the file was
given. Run it again after changes: what has not changed is skipped, by the hash of the file, which
stands in the document's metadata. Ctrl-C stops it, and the next run goes on.

Hidden files and node_modules are left out. A file that is not taken is named with the reason, and
the others go on; where one failed, the exit code is 1.

Examples:
  $ agents-datastores ingest library docs/ --create
  $ agents-datastores ingest library docs/ --delete --include '*.md'
  $ agents-datastores ingest library handbook.txt --metadata '{"custom_id": "main-street"}'
  $ git log -5 | agents-datastores ingest library - --as log.txt`

export function addIngest(program: Command): void {
  program
    .command('ingest')
    .description('put files and folders into a datastore, and keep it like them')
    .argument('<datastore>', 'its name or id')
    .argument('<path...>', 'files and folders; - is standard input')
    .option('--create', 'make the datastore if there is none of that name')
    .option('--delete', 'delete documents that came from these folders and whose file is gone')
    .option('--include <glob>', 'only files like this; may be repeated', collect)
    .option('--exclude <glob>', 'no files like this; may be repeated', collect)
    .option('--prefix <text>', 'begin every key with this')
    .option('--as <key>', 'the key of what comes from standard input')
    .option('--metadata <json>', 'metadata of every document', jsonObjectOf)
    .option('--overwrite', 'replace documents that did not come from these folders')
    .option('--dry-run', 'only say what would be done')
    .option('--verbose', 'name every file that changes')
    .option('--concurrency <n>', 'how many files at a time', countOf, 16)
    .addHelpText('after', help)
    .action(run)
}

async function run(name: string, paths: string[], options: Options, command: Command) {
  const session = openSession(command)
  const found = await find(paths, options)
  const mayCreate = options.create === true && !options.dryRun
  const datastore = await datastoreIdOrNew(session.client, name, mayCreate)
  const tally = new Tally()
  try {
    await carryOut(found, datastore, options, session, tally)
  } finally {
    const rest = session.signal.aborted ? ' Stopped; run it again to go on.' : ''
    await printAs(session.isJson, tally, `${tally.summary()}${rest}`)
  }
  if (tally.count('failed') > 0) process.exitCode = exitCodes.failed
}

/** @throws UsageError where standard input has no key, or is one of several */
async function find(paths: string[], { as, prefix, include, exclude }: Options): Promise<Found> {
  if (!paths.includes(standardInput)) {
    if (as !== undefined) throw new UsageError('--as is the key of standard input, which is -.')
    return findFiles(paths, prefix ?? '', choiceOf(include, exclude))
  }
  if (paths.length > 1) throw new UsageError('Standard input is ingested by itself.')
  if (!as) throw new UsageError('Say --as and a key for what comes from standard input.')
  const file = { path: standardInput, key: as, folder: undefined, source: as }
  return { files: [file], keys: new Set([as]), unread: [] }
}

async function carryOut(
  found: Found,
  datastore: string,
  options: Options,
  { client, signal }: Session,
  tally: Tally,
): Promise<void> {
  const stored = await storedDocuments(client, datastore, signal)
  const { metadata = {}, overwrite = false, dryRun = false, concurrency } = options
  const plan = { stored, metadata, overwrite, upload: uploadTo(client, datastore, dryRun) }
  const progress = startProgress(found.files.length, 'file')
  const tell = (outcome: Outcome): void => {
    tally.add(outcome)
    const { kind, of, reason } = outcome
    if (kind !== 'deleted') progress.advance()
    const isNamed = reason !== undefined || ((options.verbose || dryRun) && kind !== 'unchanged')
    if (isNamed) progress.note(`${kind}  ${of}${reason === undefined ? '' : ` ${reason}`}`)
  }
  try {
    await ingest(found, plan, { concurrency, signal, tell })
    if (!options.delete) return
    const remove = dryRun ? async () => undefined : removerOf(client, datastore)
    await deleteGone(found, plan, { concurrency, signal, tell }, remove)
  } finally {
    progress.finish()
  }
}
