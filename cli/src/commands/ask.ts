import type { Command } from 'commander'
import type { QueryAgent, StreamedEvent } from '../../../client/src/index.ts'
import { AnswerPrinter } from '../output/answer-printer.ts'
import { agentToAsk } from '../agent-to-ask.ts'
import { collect } from '../option-values.ts'
import { print } from '../output/print.ts'
import { quotingHint } from '../quoting-hint.ts'
import { openSession } from '../session.ts'

type Options = { conversation?: string; customId?: string[]; store: boolean }

const help = `
The answer is printed as it comes, and [1] leads to the source that backs what
stands before it. A datastore can be asked too: if no agent has its name, one is made that answers
from this datastore alone. Behind -- every word is one of the question, also --json.

Examples:
  $ agents-datastores ask library when does the library open
  $ agents-datastores ask library and on Sundays --conversation cnv_6a1f0b3c9d2e4f5a8b7c6d50
  $ agents-datastores ask library -- what does --json do
  $ agents-datastores ask library 'How long may I keep a book?' --json`

export function addAsk(program: Command): void {
  program
    .command('ask')
    .description('ask an agent, or a datastore')
    .argument('<agent>', 'the name or id of an agent or a datastore')
    .argument('<words...>', 'the question')
    .option('--conversation <id>', 'go on with a conversation')
    .option('--custom-id <id>', 'only documents with this custom_id; may be repeated', collect)
    .option('--no-store', 'do not keep question and answer in a conversation')
    .configureOutput(quotingHint)
    .addHelpText('after', help)
    .action(run)
}

async function run(name: string, words: string[], options: Options, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const agent = await agentToAsk(client, name)
  const question = questionOf(words, options)
  if (isJson) {
    return print(JSON.stringify(await client.queryAgent(agent, question, { signal })))
  }
  const printer = new AnswerPrinter()
  const events: AsyncIterable<StreamedEvent> = client.streamAgent(agent, question, { signal })
  for await (const event of events) await printer.take(event)
}

const questionOf = (
  words: string[],
  { conversation, customId, store }: Options,
): Omit<QueryAgent, 'streaming'> => ({
  query: words.join(' '),
  ...(conversation !== undefined && { conversationId: conversation }),
  ...(customId && { filters: { custom_ids: customId } }),
  ...(!store && { store }),
})
