import type { Command } from 'commander'
import {
  type Datasource,
  type DatasourceSummary,
  type MetadataFilter,
  ProblemError,
} from '../../../client/src/index.ts'
import { concurrently } from '../concurrently.ts'
import { CommandFailed, UsageError } from '../failures.ts'
import { datastoreId, isIdOf, isPathLess } from '../names.ts'
import { jsonObjectOf } from '../option-values.ts'
import { counted } from '../output/numbers.ts'
import { printAs } from '../output/print.ts'
import { table } from '../output/table.ts'
import { openSession, type Session } from '../session.ts'

const examples = `
Examples:
  $ agents-datastores documents list library
  $ agents-datastores documents delete library drafts/secret.md drafts/old.md
  $ agents-datastores documents delete library --filter '{"type": "eq", "key": "lang", "value": "de"}' --yes`

type Filtered = { filter?: MetadataFilter }
const filterOption = ['--filter <json>', 'documents whose metadata matches', jsonObjectOf] as const

export function addDocuments(program: Command): void {
  const documents = program
    .command('documents')
    .description('list, print and delete documents of a datastore')
    .addHelpText('after', examples)
  const datastore = ['<datastore>', 'its name or id'] as const
  documents
    .command('list')
    .description('all documents, oldest first: key or id, name, when it was changed')
    .argument(...datastore)
    .option(...filterOption)
    .action(list)
  documents
    .command('show')
    .description('the text of one document')
    .argument(...datastore)
    .argument('<document>', 'its key or id')
    .action(show)
  documents
    .command('delete')
    .description('delete documents')
    .argument(...datastore)
    .argument('[document...]', 'their keys or ids')
    .option(...filterOption)
    .option('--yes', 'really delete what the filter matches')
    .action(remove)
}

async function list(name: string, query: Filtered, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const id = await datastoreId(client, name)
  const all = await listed(client, id, query, signal)
  const rows = all.map((one) => [one.key ?? one.id, one.name ?? '', one.updatedAt])
  await printAs(isJson, all, table(rows))
}

async function listed(
  client: Session['client'],
  id: string,
  { filter }: Filtered,
  signal: AbortSignal,
): Promise<DatasourceSummary[]> {
  const all: DatasourceSummary[] = []
  const query = { limit: 100, ...(filter && { filter }) }
  for await (const one of client.listDatasources(id, query, { signal })) all.push(one)
  return all
}

async function show(name: string, document: string, _: object, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const found = await find(client, await datastoreId(client, name), document, signal)
  await printAs(isJson, found, found.text)
}

async function remove(
  name: string,
  documents: string[],
  { filter, yes }: Filtered & { yes?: true },
  command: Command,
) {
  if (documents.length > 0 === (filter !== undefined)) {
    throw new UsageError('Say which documents: their keys or ids, or --filter.')
  }
  const session = openSession(command)
  const id = await datastoreId(session.client, name)
  if (filter) return removeMatching(session, id, filter, yes === true)
  const { client, isJson, signal } = session
  // All are looked for first, so that a wrong key deletes none.
  const found: Datasource[] = []
  for (const document of new Set(documents)) found.push(await find(client, id, document, signal))
  await concurrently(found, { concurrency: 4, signal }, async (one, stop) => {
    await client.deleteDatasource(id, one.id, { signal: stop })
  })
  await printAs(isJson, documents, `Deleted ${documents.join(', ')}.`)
}

async function removeMatching(
  { client, isJson, signal }: Session,
  id: string,
  filter: MetadataFilter,
  isSure: boolean,
) {
  if (!isSure) {
    const { length } = await listed(client, id, { filter }, signal)
    throw new UsageError(`This deletes ${counted(length, 'document')}: say --yes.`)
  }
  const done = await client.deleteDatasources(id, { filter }, { signal })
  await printAs(isJson, done, `Deleted ${counted(done.deleted, 'document')}.`)
}

async function find(
  client: Session['client'],
  id: string,
  document: string,
  signal: AbortSignal,
): Promise<Datasource> {
  if (isIdOf('src', document)) return byIdOrKey(client, id, document, signal)
  if (!isPathLess(document)) return client.getDocument(id, document, { signal })
  const all = await listed(client, id, {}, signal)
  const found = all.find(({ key }) => key === document)
  if (!found) throw new CommandFailed(`There is no document "${document}".`)
  return client.getDatasource(id, found.id, { signal })
}

/** What was imported has for its key the id that it had where it comes from. */
async function byIdOrKey(
  client: Session['client'],
  id: string,
  document: string,
  signal: AbortSignal,
): Promise<Datasource> {
  try {
    return await client.getDatasource(id, document, { signal })
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) throw error
    return client.getDocument(id, document, { signal })
  }
}
