import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { exitCodes } from '../exit-codes.ts'
import { CommandFailed } from '../failures.ts'
import type { Found } from '../ingest/found-file.ts'
import { givenFiles, type Given } from '../ingest/given-files.ts'
import { deleteGone, ingest, refuseOtherModel, removerOf } from '../ingest/ingest.ts'
import {
  inOneLine,
  tellElsewhere,
  tellGone,
  tellLeftOut,
  tellOtherKeys,
  tellTwice,
} from '../ingest/notes.ts'
import type { Outcome } from '../ingest/outcome.ts'
import type { Metadata } from '../ingest/provenance.ts'
import { storedDocuments } from '../ingest/stored-documents.ts'
import { Tally } from '../ingest/tally.ts'
import { othersStored } from '../ingest/gone-documents.ts'
import { otherKeys } from '../ingest/other-keys.ts'
import { otherPrefixes, refuseOtherFolders } from '../ingest/other-folders.ts'
import { storeOf } from '../ingest/upload.ts'
import { datastoreIdOrNew, findDatastore } from '../names.ts'
import { collect, countOf, jsonObjectOf } from '../option-values.ts'
import { printAs } from '../output/print.ts'
import { startProgress } from '../output/progress.ts'
import { openSession, type Session } from '../session.ts'

type Options = Given & {
  create?: true
  delete?: true
  metadata?: Metadata
  overwrite?: true
  again?: true
  dryRun?: true
  verbose?: true
  concurrency: number
}

const help = `
Each file is a document whose key is its path: below the folder that was given, or as the file was
given. Run it again after changes: what has not changed is skipped, by the hash of the file, which
stands in the document's metadata. Ctrl-C stops it, and the next run goes on.

Hidden files, node_modules and links are left out, unless you name one yourself. A file that is not
taken is named with the reason, and the others go on. In a folder, files without text, such as
pictures, are ignored, and so are minified code, source maps, search indexes, archives and the
print.html of mdBook. If anything else is not in, the exit code is 1.

The name and the metadata that somebody else gave a document stay, except for those in --metadata.

A folder is known by its name, wherever it stands. Give each of two folders of one name its own
--prefix. It stops if the stored documents came from another place and fewer than half of the files
match; --overwrite goes on.

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
    .option(
      '--delete',
      'delete documents that came from these folders and whose file, or its text, is gone',
    )
    .option('--include <glob>', 'only files like this; may be repeated', collect)
    .option('--exclude <glob>', 'no files like this; may be repeated', collect)
    .option('--prefix <text>', 'begin every key with this')
    .option('--as <key>', 'the key of what comes from standard input')
    .option('--metadata <json>', 'metadata of every document', jsonObjectOf)
    .option('--overwrite', 'replace documents that did not come from these folders')
    .option('--again', 'send files that have not changed, too, as after an upgrade of the service')
    .option('--dry-run', 'only say what would be done')
    .option('--verbose', 'name every file that changes')
    .option('--concurrency <n>', 'how many files at a time', countOf, 16)
    .addHelpText('after', help)
    .action(run)
}

async function run(name: string, paths: string[], options: Options, command: Command) {
  const session = openSession(command)
  const found = await givenFiles(paths, options)
  const datastore = await datastoreOf(name, options, session)
  const tally = new Tally()
  let isWhole = false
  try {
    await ingestAll(found, datastore, options, session, tally)
    isWhole = true
  } finally {
    await printAs(
      session.isJson,
      tally,
      tally.summary({ isWhole, dryRun: options.dryRun === true }),
    )
  }
  if (tally.count('failed') > 0) process.exitCode = exitCodes.failed
}

/** Undefined where it would be made. @throws CommandFailed */
async function datastoreOf(
  name: string,
  { create, dryRun }: Options,
  { client }: Session,
): Promise<string | undefined> {
  if (create && /[\\/]/.test(name) && existsSync(name)) {
    throw new CommandFailed(`"${name}" is a path: name the datastore first, then what to put in.`)
  }
  if (create && dryRun) return (await findDatastore(client, name))?.id
  return datastoreIdOrNew(client, name, create === true)
}

async function ingestAll(
  found: Found,
  datastore: string | undefined,
  options: Options,
  { client, signal }: Session,
  tally: Tally,
): Promise<void> {
  const stored = datastore ? await storedDocuments(client, datastore, signal) : new Map()
  if (datastore && stored.size > 0) await refuseOtherModel(client, datastore, signal)
  const { metadata = {}, overwrite = false, again = false, dryRun = false, concurrency } = options
  if (!overwrite) await refuseOtherFolders(found, stored)
  const isDone = datastore && !dryRun
  const store = isDone ? storeOf(client, datastore) : undefined
  const plan = { stored, metadata, overwrite, again, store }
  const progress = startProgress(found.files.length, 'file')
  const tell = (outcome: Outcome): void => {
    tally.add(outcome)
    const { kind, of, reason } = outcome
    if (kind !== 'deleted') progress.advance()
    const isNamed = reason !== undefined || ((options.verbose || dryRun) && kind !== 'unchanged')
    if (isNamed)
      progress.note(`${kind}  ${inOneLine(of)}${reason === undefined ? '' : ` ${reason}`}`)
  }
  try {
    await ingest(found, plan, { concurrency, signal, tell })
    const { gone, leftOut, elsewhere } = othersStored(stored, found)
    tellLeftOut(leftOut.length, progress)
    tellElsewhere(elsewhere.length, progress)
    tellOtherKeys(otherKeys(found, stored), progress)
    if (datastore) tellTwice(datastore, otherPrefixes(found, stored), progress)
    if (!options.delete) return tellGone(gone.length, progress)
    const remove = isDone ? removerOf(client, datastore) : async () => undefined
    const isDeleted = await deleteGone(found, gone, { concurrency, signal, tell }, remove)
    if (!isDeleted) progress.note('Nothing is deleted, because not all could be read.')
  } finally {
    progress.finish()
  }
}
