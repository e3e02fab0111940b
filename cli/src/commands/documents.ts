import type { Command } from 'commander'
import type { Datasource, DatasourceSummary } from '../../../client/src/index.ts'
import { concurrently } from '../concurrently.ts'
import { datastoreId, isIdOf } from '../names.ts'
import { printAs } from '../output/print.ts'
import { table } from '../output/table.ts'
import { openSession, type Session } from '../session.ts'

const examples = `
Examples:
  $ agents-datastores documents list library
  $ agents-datastores documents delete library drafts/secret.md drafts/old.md`

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
    .argument('<document...>', 'their keys or ids')
    .action(remove)
}

async function list(name: string, _: object, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const id = await datastoreId(client, name)
  const all: DatasourceSummary[] = []
  for await (const one of client.listDatasources(id, { limit: 100 }, { signal })) all.push(one)
  const rows = all.map((one) => [one.key ?? one.id, one.name ?? '', one.updatedAt])
  await printAs(isJson, all, table(rows))
}

async function show(name: string, document: string, _: object, command: Command) {
  const { client, isJson } = openSession(command)
  const found = await find(client, await datastoreId(client, name), document)
  await printAs(isJson, found, found.text)
}

async function remove(name: string, documents: string[], _: object, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const id = await datastoreId(client, name)
  // All are looked for first, so that a wrong key deletes none.
  for (const document of documents) await find(client, id, document)
  await concurrently(documents, { concurrency: 4, signal }, async (document, stop) => {
    const options = { signal: stop }
    await (isIdOf('src', document)
      ? client.deleteDatasource(id, document, options)
      : client.deleteDocument(id, document, options))
  })
  await printAs(isJson, documents, `Deleted ${documents.join(', ')}.`)
}

const find = (client: Session['client'], id: string, document: string): Promise<Datasource> =>
  isIdOf('src', document) ? client.getDatasource(id, document) : client.getDocument(id, document)
