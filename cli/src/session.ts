import type { Command } from 'commander'
import { AgentsDatastores } from '../../client/src/index.ts'
import { CommandFailed } from './failures.ts'
import { messageOf } from './messages.ts'
import { defaultUrl, settingsOf } from './settings.ts'

/** What a command works with. */
export type Session = {
  client: AgentsDatastores
  isJson: boolean
  /** Aborted when somebody presses Ctrl-C. */
  signal: AbortSignal
  /** To be called once the command is done, where there is something to close. */
  close?: () => Promise<void>
}

export type OpenSession = (command: Command) => Session | Promise<Session>

/** @throws CommandFailed when no key is given, or the address or the key is none */
export function openSession(command: Command): Session {
  const { url, key, isJson } = settingsOf(command)
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new CommandFailed(`"${url}" is no address of a server, such as ${defaultUrl}.`)
  }
  if (!key) throw new CommandFailed('Set API_KEY, or say --key: a key of the server.')
  return { client: clientOf(url, key), isJson, signal: interruption() }
}

function clientOf(baseUrl: string, apiKey: string): AgentsDatastores {
  try {
    return new AgentsDatastores({ baseUrl, apiKey })
  } catch (error) {
    throw new CommandFailed(messageOf(error))
  }
}

/** The first Ctrl-C ends a command in order, the second at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort())
  }
  return controller.signal
}
