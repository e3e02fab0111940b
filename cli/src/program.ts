import { Command } from 'commander'
import { addAgents } from './commands/agents.ts'
import { addAsk } from './commands/ask.ts'
import { addCompletion } from './commands/completion.ts'
import { addDatastores } from './commands/datastores.ts'
import { addDocuments } from './commands/documents.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addIngest } from './commands/ingest.ts'
import { addKeys } from './commands/keys.ts'
import { addQuery } from './commands/query.ts'
import { print } from './output/print.ts'
import { openSession, type OpenSession } from './session.ts'
import { addSettings } from './settings.ts'

const examples = `
Examples:
  $ export API_KEY=ads_…
  $ agents-datastores ingest library docs/ --create
  $ agents-datastores ask library when does the library open

It exits 0 when done, 1 when something failed and 2 when it did not understand the command.`

/** `url` is the server's address where nobody names one; `openKeys` how the commands on keys come to a server. */
type Parts = { version: string; url: string; openKeys?: OpenSession }

/** The command line, with every command. */
export function makeProgram({ version, url, openKeys = openSession }: Parts): Command {
  const program = new Command('agents-datastores')
    .description('Put documents into datastores, query them, and ask agents that answer from them.')
    .helpOption('-h, --help', 'print this, or what a command does')
    .showHelpAfterError('(--help says what there is.)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .addHelpText('after', examples)
  addSettings(program, url)
  const first = [addIngest, addAsk, addQuery, addAgents, addDatastores, addDocuments]
  for (const add of first) add(program)
  addKeys(program, openKeys)
  for (const add of [addExport, addImport, addCompletion]) add(program)
  program
    .command('version')
    .description('print the version, as -v and --version do')
    .action(() => print(version))
  return program
}

/** Runs a command line. Only its first word may ask for the version, because a question may have such words. */
export const runProgram = (program: Command, words: string[]): Promise<Command> => {
  const isVersion = ['-v', '--version'].includes(words[0] ?? '')
  return program.parseAsync(isVersion ? ['version'] : words, { from: 'user' })
}
