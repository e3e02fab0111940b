import { type Command, InvalidArgumentError } from 'commander'

/** `model` is needed where the table does not name the embedder of its vectors. */
export type Restore = {
  id: string
  name: string | undefined
  workspace: string | undefined
  model: string | undefined
}

export type StoreCommand =
  | { verb: 'check' }
  | { verb: 'restore-format' }
  | { verb: 'restore-datastore'; restore: Restore }

type Options = { name?: string; workspace?: string; embeddingModel?: string }

/** The commands on the store at DATA_URI, on which no server may run meanwhile. */
export function addStore(program: Command, run: (what: StoreCommand) => Promise<void>): void {
  const store = program
    .command('store')
    .description('check and mend the store at DATA_URI, while no server runs')
  store
    .command('check')
    .description('read the store whole; it exits 1 where something is wrong')
    .action(() => run({ verb: 'check' }))
  store
    .command('restore-datastore')
    .description('restore the record of a datastore whose documents are still there')
    .argument('<id>')
    .option('--name <name>', 'its name')
    .option('--workspace <workspace>', 'its workspace', workspaceOf)
    .option('--embedding-model <name>', 'the embedder of its vectors, where the table names none')
    .action((id: string, { name, workspace, embeddingModel: model }: Options) =>
      run({ verb: 'restore-datastore', restore: { id, name, workspace, model } }),
    )
  store
    .command('restore-format')
    .description('mark a store that lost its format')
    .action(() => run({ verb: 'restore-format' }))
}

function workspaceOf(text: string): string {
  if (/^[a-z0-9-]{1,63}$/.test(text)) return text
  throw new InvalidArgumentError('A workspace is 1 to 63 of a-z, 0-9 and "-".')
}
