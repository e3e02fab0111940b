import { type Command, Option } from 'commander'
import {
  type Agent,
  ModelName,
  Override,
  ProblemError,
  type PutKnowledge,
  Visibility,
} from '../../../client/src/index.ts'
import { CommandFailed, UsageError } from '../failures.ts'
import { agentId, checkName, datastoreId } from '../names.ts'
import { collect, numberOf } from '../option-values.ts'
import { printAs } from '../output/print.ts'
import { facts, table } from '../output/table.ts'
import { openSession, type Session } from '../session.ts'

type Options = {
  datastore?: string[]
  description?: string
  model?: ModelName
  temperature?: number
  visibility?: Visibility
  systemPrompt?: string
  userPrompt?: string
  override?: Override[] | false
}

const examples = `
Examples:
  $ agents-datastores agents create Librarian --datastore library
  $ agents-datastores agents update Librarian --visibility public`

export function addAgents(program: Command): void {
  const agents = program
    .command('agents')
    .description('list, make, change and delete agents')
    .addHelpText('after', examples)
  agents.command('list').description('all agents, oldest first').action(list)
  const argument = ['<agent>', 'its name or id'] as const
  agents
    .command('show')
    .description('one agent, and the datastores it answers from')
    .argument(...argument)
    .action(show)
  withFields(agents.command('create').description('make an agent').argument('<name>')).action(
    create,
  )
  withFields(
    agents
      .command('update')
      .description('change an agent; what is not given stays')
      .argument(...argument),
  ).action(update)
  agents
    .command('delete')
    .description('delete an agent with its conversations')
    .argument(...argument)
    .option('--yes', 'really delete it')
    .action(remove)
}

const withFields = (command: Command): Command =>
  command
    .option('--datastore <datastore>', 'answer from it; may be repeated', collect)
    .option('--description <text>', 'what the agent is for')
    .addOption(new Option('--model <name>', 'its modelName').choices(Object.values(ModelName)))
    .option('--temperature <number>', '0 to 1', numberOf)
    .addOption(
      new Option('--visibility <who>', 'who may ask it').choices(Object.values(Visibility)),
    )
    .option('--system-prompt <text>', 'its system prompt')
    .option('--user-prompt <text>', 'its user prompt; {query} is the question')
    .addOption(
      new Option('--override <member...>', 'what those who only ask may choose').choices(
        Object.values(Override),
      ),
    )
    .option('--no-override', 'they may choose none of it')

async function list(_: object, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const all: Agent[] = []
  for await (const one of client.listAgents({ limit: 100 }, { signal })) all.push(one)
  const rows = all.map(({ id, name, visibility, description }) => [
    id,
    name,
    visibility,
    firstLine(description),
  ])
  await printAs(isJson, all, table(rows))
}

async function show(name: string, _: object, command: Command) {
  const { client, isJson } = openSession(command)
  const agent = await client.getAgent(await agentId(client, name))
  const knowledge = await client.getKnowledge(agent.id)
  const { promptType: _type, promptTemplate: _template, ...fields } = agent
  const text = facts({
    ...fields,
    datastores: knowledge.datastoreIds.join(' '),
    overrides: knowledge.overrides.join(' '),
  })
  await printAs(isJson, { ...agent, knowledge }, text)
}

async function create(name: string, options: Options, command: Command) {
  checkName(name)
  const { client, isJson } = openSession(command)
  const knowledge = await knowledgeOf(client, options)
  const agent = await client.createAgent({ name, description: '', ...fieldsOf(options) })
  if (knowledge) {
    try {
      await client.putKnowledge(agent.id, { datastoreIds: [], ...knowledge })
    } catch (error) {
      // Else the next try makes a second agent of that name.
      await client.deleteAgent(agent.id)
      throw error
    }
  }
  await printAs(isJson, agent, agent.id)
}

async function update(name: string, options: Options, command: Command) {
  if (Object.keys(options).length === 0) throw new UsageError('Say what to change; see --help.')
  const { client, isJson } = openSession(command)
  const knowledge = await knowledgeOf(client, options)
  const read = await client.getAgent(await agentId(client, name)).withResponse()
  const { id, description } = read.data
  try {
    const fields = { description, ...fieldsOf(options) }
    const agent = await client.updateAgent(id, fields, ifUnchanged(read))
    if (knowledge) {
      const before = await client.getKnowledge(id).withResponse()
      await client.putKnowledge(id, { ...before.data, ...knowledge }, ifUnchanged(before))
    }
    await printAs(isJson, agent, `Updated ${agent.name}.`)
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'precondition_failed')) throw error
    const changed = `${read.data.name} has changed meanwhile.`
    throw new CommandFailed(`${changed} Look at it with agents show, and update it again.`)
  }
}

/** A proxy that compresses makes a tag weak, which never matches. */
function ifUnchanged({ response }: { response: Response }) {
  const tag = response.headers.get('ETag') ?? ''
  return tag.startsWith('"') ? { headers: { 'If-Match': tag } } : {}
}

async function remove(word: string, { yes }: { yes?: true }, command: Command) {
  const { client, isJson } = openSession(command)
  const { id, name } = await client.getAgent(await agentId(client, word))
  if (!yes) throw new UsageError(`This deletes ${name} with its conversations: say --yes.`)
  const agent = await client.deleteAgent(id)
  await printAs(isJson, agent, `Deleted ${agent.name}.`)
}

/** Undefined where no option is about it. */
async function knowledgeOf(
  client: Session['client'],
  { datastore, override }: Options,
): Promise<Partial<PutKnowledge> | undefined> {
  if (!datastore && override === undefined) return undefined
  const ids = datastore?.map((name) => datastoreId(client, name))
  return {
    ...(ids && { datastoreIds: await Promise.all(ids) }),
    ...(override !== undefined && { overrides: override || [] }),
  }
}

const fieldsOf = (options: Options) => ({
  ...(options.description !== undefined && { description: options.description }),
  ...(options.model && { modelName: options.model }),
  ...(options.temperature !== undefined && { temperature: options.temperature }),
  ...(options.visibility && { visibility: options.visibility }),
  ...(options.systemPrompt !== undefined && { systemPrompt: options.systemPrompt }),
  ...(options.userPrompt !== undefined && { userPrompt: options.userPrompt }),
})

const firstLine = (text: string): string => text.split('\n')[0] ?? ''
