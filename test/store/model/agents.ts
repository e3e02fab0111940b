import * as fc from 'fast-check'
import { expect } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { type Agent, ModelName, PromptType, Visibility } from '../../../generated/types.gen.ts'
import { type Answer, answerOf, expectAnswer, type Expected, notFound, ok } from './answer.ts'
import { expectList } from './lists.ts'
import { limit, someName, number } from './values.ts'
import {
  find,
  type KnownAgent,
  ownOf,
  stepOf,
  target,
  type Who,
  whoever,
  type World,
} from './world.ts'

const fields = fc.record(
  {
    name: someName,
    description: someName,
    modelName: fc.constantFrom(...Object.values(ModelName)),
    temperature: fc.constantFrom(0, 0.3, 1),
    visibility: fc.constantFrom(...Object.values(Visibility)),
    systemPrompt: someName,
    userPrompt: someName,
    promptType: fc.constantFrom(...Object.values(PromptType)),
    promptTemplate: someName,
  },
  { requiredKeys: ['description'] },
)

const defaults = {
  modelName: ModelName.GPT_3_5_TURBO,
  temperature: 0,
  visibility: Visibility.PRIVATE,
  systemPrompt: '',
  userPrompt: '',
  promptType: PromptType.RAW,
  promptTemplate: '',
}

const ifMatch = fc.constantFrom('none', 'none', 'any', 'current', 'stale', 'weak')

function tagFor(choice: string, rev: number): { 'If-Match'?: string } {
  if (choice === 'none') return {}
  const tags: Record<string, string> = {
    any: '*',
    current: `"0", "${rev}"`,
    stale: `"${rev - 1}"`,
    weak: `W/"${rev}"`,
  }
  return { 'If-Match': tags[choice] }
}

const changed: Expected = {
  code: 'precondition_failed',
  detail:
    'What is there is not what If-Match or If-None-Match asks for. A weak ETag, W/"…", never matches.',
}

function expectAgent(answer: Answer, id: string, known: KnownAgent | undefined): void {
  expectAnswer(answer, known ? ok(known.agent) : notFound('agent', id))
  if (known) expect(answer.headers.get('etag')).toBe(`"${known.rev}"`)
}

export const expectAgents = (world: World, asker: Who, size: number): Promise<void> =>
  expectList(
    (query) => sdk.listAgents({ client: world.client(asker), query }),
    size,
    ownOf(world.agents, asker).map(({ agent }) => agent),
  )

export const createAgent = stepOf(
  'createAgent',
  fc.tuple(whoever, someName, fields),
  async (world, args) => {
    const [asker, ownName, rest] = args
    const body = { ...rest, name: rest.name || ownName || 'Agent' }
    const answer = await answerOf(sdk.createAgent({ client: world.client(asker), body }))
    const { id } = answer.body as Agent
    const agent = { id, ...defaults, ...body }
    expectAnswer(answer, { status: 201, body: agent })
    expect(answer.headers.get('location')).toBe(`/agents/${id}`)
    expect(answer.headers.get('etag')).toBe('"1"')
    world.agents.push({ id, who: asker, gone: false, agent, rev: 1 })
  },
)

export const getAgent = stepOf(
  'getAgent',
  fc.tuple(whoever, target),
  async (world, [asker, wanted]) => {
    const { id, thing } = find(world.agents, asker, wanted)
    const client = world.client(asker)
    expectAgent(await answerOf(sdk.getAgent({ client, path: { id } })), id, thing)
  },
)

export const listAgents = stepOf('listAgents', fc.tuple(whoever, limit), (world, [asker, size]) =>
  expectAgents(world, asker, size),
)

export const updateAgent = stepOf(
  'updateAgent',
  fc.tuple(whoever, target, fields, ifMatch),
  async (world, [asker, wanted, body, choice]) => {
    const { id, thing } = find(world.agents, asker, wanted)
    const headers = tagFor(choice, thing?.rev ?? 1)
    const client = world.client(asker)
    const answer = await answerOf(sdk.updateAgent({ client, path: { id }, headers, body }))
    if (thing && ['stale', 'weak'].includes(choice)) return expectAnswer(answer, changed)
    if (thing) Object.assign(thing, { agent: { ...thing.agent, ...body }, rev: thing.rev + 1 })
    expectAgent(answer, id, thing)
  },
)

export const deleteAgent = stepOf(
  'deleteAgent',
  fc.tuple(whoever, target, ifMatch),
  async (world, [asker, wanted, choice]) => {
    const { id, thing } = find(world.agents, asker, wanted)
    const headers = tagFor(choice, thing?.rev ?? 1)
    const client = world.client(asker)
    const answer = await answerOf(sdk.deleteAgent({ client, path: { id }, headers }))
    if (thing && ['stale', 'weak'].includes(choice)) return expectAnswer(answer, changed)
    expectAgent(answer, id, thing)
    if (thing) thing.gone = true
  },
)

/** Of those who change one version at once only one does; of those who name none, all do. */
export const updateAgentAtOnce = stepOf(
  'updateAgentAtOnce',
  fc.tuple(whoever, number, fc.boolean(), fc.array(fields, { minLength: 2, maxLength: 4 })),
  async (world, [asker, n, isConditional, bodies]) => {
    const agents = ownOf(world.agents, asker)
    const known = agents[n % agents.length]
    if (!known) return
    const { id } = known
    const headers = tagFor(isConditional ? 'current' : 'none', known.rev)
    const client = world.client(asker)
    const answers = await Promise.all(
      bodies.map(async (body) => {
        const call = sdk.updateAgent({ client, path: { id }, headers, body })
        return { body, answer: await answerOf(call) }
      }),
    )
    const done = answers.filter(({ answer }) => answer.status === 200)
    for (const { answer } of answers) if (answer.status !== 200) expectAnswer(answer, changed)
    expect(done).toHaveLength(isConditional ? 1 : bodies.length)
    const revOf = (answer: Answer) => Number(answer.headers.get('etag')?.slice(1, -1))
    for (const { body, answer } of done.toSorted((a, b) => revOf(a.answer) - revOf(b.answer))) {
      known.agent = { ...known.agent, ...body }
      known.rev += 1
      expectAgent(answer, id, known)
    }
  },
)
