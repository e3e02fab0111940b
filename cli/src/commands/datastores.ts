import type { Command } from 'commander'
import { type AgentsDatastores, type Datastore, ProblemError } from '../../../client/src/index.ts'
import { UsageError } from '../failures.ts'
import { checkName, datastoreId, noteNamesake } from '../names.ts'
import { countOf } from '../option-values.ts'
import { counted, grouped } from '../output/numbers.ts'
import { printAs } from '../output/print.ts'
import { facts, table } from '../output/table.ts'
import { openSession } from '../session.ts'

export function addDatastores(program: Command): void {
  const datastores = program
    .command('datastores')
    .description('list, make, change and delete datastores')
  datastores.command('list').description('all datastores, oldest first').action(list)
  datastores
    .command('show')
    .description('one datastore')
    .argument('<datastore>', 'its name or id')
    .action(show)
  datastores
    .command('create')
    .description('make a datastore')
    .argument('<name>')
    .option('--description <text>', 'what it holds, for people and assistants')
    .option('--fragment-length <n>', 'the most characters of a fragment', countOf)
    .action(create)
  datastores
    .command('rename')
    .description('give a datastore another name; its id stays')
    .argument('<datastore>', 'its name or id')
    .argument('<new-name>')
    .action(rename)
  datastores
    .command('describe')
    .description('say what a datastore holds, for people and assistants')
    .argument('<datastore>', 'its name or id')
    .argument('<description>')
    .action(describe)
  datastores
    .command('delete')
    .description('delete a datastore with all its documents')
    .argument('<datastore>', 'its name or id')
    .option('--yes', 'really delete it')
    .action(remove)
}

async function list(_: object, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const all: Datastore[] = []
  for await (const one of client.listDatastores({ limit: 100 }, { signal })) all.push(one)
  const rows: string[][] = []
  for (const one of isJson ? [] : all) {
    rows.push([one.id, one.name, await listedSize(client, one), one.createdAt])
  }
  await printAs(isJson, all, table(rows))
}

/** The list counts none where the documents cannot be read; what is deleted meanwhile has none. */
async function listedSize(client: AgentsDatastores, { id, datasourceCount }: Datastore) {
  if (datasourceCount > 0) return counted(datasourceCount, 'document')
  const size = await sizeOf(client, id).catch(orUndefined('not_found'))
  return size ?? counted(0, 'document')
}

/** A datastore whose documents cannot be read can be deleted, too. */
async function sizeOf(client: AgentsDatastores, id: string): Promise<string> {
  const datastore = await client
    .getDatastore(id, { maxRetries: 0 })
    .catch(orUndefined('unavailable'))
  if (!datastore) return 'documents that cannot be read'
  return counted(datastore.datasourceCount, 'document')
}

const orUndefined = (code: string) => (error: unknown) => {
  if (error instanceof ProblemError && error.code === code) return undefined
  throw error
}

async function show(name: string, _: object, command: Command) {
  const { client, isJson } = openSession(command)
  const datastore = await client.getDatastore(await datastoreId(client, name))
  await printAs(isJson, datastore, toText(datastore))
}

type NewOptions = { description?: string; fragmentLength?: number }

async function create(name: string, options: NewOptions, command: Command) {
  checkName(name)
  const { client, isJson } = openSession(command)
  await noteNamesake(client, name)
  const datastore = await client.createDatastore({ name, ...options })
  await printAs(isJson, datastore, datastore.id)
}

async function rename(word: string, name: string, _: object, command: Command) {
  const { client, isJson } = openSession(command)
  checkName(name)
  const id = await datastoreId(client, word)
  await noteNamesake(client, name, id)
  const datastore = await client.updateDatastore(id, { name })
  await printAs(isJson, datastore, `Renamed ${word} to ${datastore.name}.`)
}

async function describe(word: string, description: string, _: object, command: Command) {
  const { client, isJson } = openSession(command)
  const datastore = await client.updateDatastore(await datastoreId(client, word), { description })
  await printAs(isJson, datastore, `Described ${datastore.name}.`)
}

async function remove(name: string, { yes }: { yes?: true }, command: Command) {
  const { client, isJson } = openSession(command)
  const id = await datastoreId(client, name)
  const size = await sizeOf(client, id)
  if (!yes) throw new UsageError(`This deletes ${name} with ${size}: say --yes.`)
  const datastore = await client.deleteDatastore(id)
  await printAs(isJson, datastore, `Deleted ${datastore.name} with ${size}.`)
}

const toText = (datastore: Datastore): string =>
  facts({
    id: datastore.id,
    name: datastore.name,
    description: datastore.description,
    documents: grouped(datastore.datasourceCount),
    fragments: grouped(datastore.fragmentCount),
    'fragment length': datastore.fragmentLength,
    'embedding model': datastore.embeddingModel,
    created: datastore.createdAt,
  })
