import { type Command, Option } from 'commander'

/** The settings of every command. */
export type Settings = { url: string; key: string | undefined; isJson: boolean }

export const defaultUrl = 'http://127.0.0.1:3000'

/** The options that every command takes. `url` is the server's address where the command line names none. */
export function addSettings(program: Command, url: string): void {
  program
    .addOption(new Option('--url <address>', "the server's address, or SERVICE_URL").default(url))
    .option('--key <key>', 'a key of the server, or API_KEY')
    .option('--json', 'print JSON, for programs')
}

export function settingsOf(command: Command): Settings {
  const { url, key, json } = command.optsWithGlobals<{ url: string; key?: string; json?: true }>()
  return { url, key: key || process.env.API_KEY || undefined, isJson: json === true }
}
