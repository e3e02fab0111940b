import { Command } from 'commander'
import { addStore } from '../../src/cli/store-command.ts'
import { runStoreCommand, type StoreReport } from '../../src/cli/run-store-command.ts'
import { readConfig } from '../../src/config/config.ts'

/** What `store` and these words say of a directory. @throws CommanderError where they make no command */
export async function storeCommand(dataUri: string, ...words: string[]): Promise<StoreReport> {
  let report: StoreReport | undefined
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  addStore(program, async (command) => {
    report = await runStoreCommand(command, readConfig({ DATA_URI: dataUri }))
  })
  await program.parseAsync(['store', ...words], { from: 'user' })
  return report!
}
