import { useEffect, useState } from 'preact/hooks'
import type { Datastore, QueryAgent } from '../../../client/src/index.ts'
import { anExample, Calls } from '../shared/calls.tsx'
import { useClient } from '../shared/client.ts'
import { Failure } from '../shared/failure.tsx'
import type { Opened } from '../shared/document-text.ts'
import { hrefOf } from '../shared/place.ts'
import { Needs } from '../shared/scopes.tsx'
import { Source } from '../shared/source.tsx'
import { useLoaded } from '../shared/hooks.ts'
import { AgentChoice } from './agent-choice.tsx'
import { agentsOf, askedOf, type AgentWithKnowledge, type Tried } from './agents.ts'
import { Answer, openedBy } from './answer.tsx'
import { type Conversations, useConversation } from './conversation.ts'
import { QuestionForm } from './question-form.tsx'
import type { Turn } from './turn.ts'

type Props = { datastore: Datastore; conversations: Conversations; question?: string }

const hasFailed = (turn: Turn): boolean => turn.error !== undefined || turn.isStopped === true

/** Asks an agent that answers from a datastore, and shows the sources at the side. */
export function Ask({ datastore, conversations, question }: Props) {
  const client = useClient()
  const { turns, ask, stop, begin, isRunning } = useConversation(conversations, datastore.id)
  const [opened, setOpened] = useState<Opened>()
  const choice = conversations.choiceOf(datastore.id)
  const { value, error, again } = useLoaded((signal) => agentsOf(client, datastore, signal), [])
  const knowing = value?.find(({ agent }) => agent.id === choice.agentId) ?? value?.[0]
  // What is tried of one agent is not tried of another.
  const isOther = choice.agentId !== undefined && choice.agentId !== knowing?.agent.id
  const tried = isOther ? {} : choice.tried
  const askAndOpen = async (asked: AgentWithKnowledge, query: string) => {
    const turn = await ask(asked, { query, ...askedOf(tried) }, tried.noAnswer)
    const [first] = turn.citations
    setOpened(first && openedBy(turn, first))
    return turn.error !== undefined
  }
  const beginAnew = () => {
    begin()
    setOpened(undefined)
  }
  /** Without an id, it is the first agent. What was said with another one does not go on. */
  const choose = (id?: string) => {
    conversations.choose(datastore.id, { agentId: id, tried: {} })
    beginAnew()
  }
  const tryOut = (next: Tried) =>
    conversations.choose(datastore.id, { agentId: knowing?.agent.id, tried: next })
  useEffect(() => {
    const isAsked = turns.some((turn) => turn.body.query === question && !hasFailed(turn))
    if (knowing && question && !isAsked) void askAndOpen(knowing, question)
  }, [knowing === undefined, question])
  const last = turns.at(-1)
  const shown: QueryAgent = last?.body ?? { query: 'When does it open?', ...askedOf(tried) }
  return (
    <div class={opened ? 'split' : ''}>
      <section aria-label="Questions and answers">
        <Failure error={error} />
        {error !== undefined && (
          <p>
            A search needs no agent:{' '}
            <a href={hrefOf({ pane: 'search', datastore: datastore.id })}>search here</a>
          </p>
        )}
        {value && (
          <AgentChoice
            {...{ agents: value, knowing, datastore, tried }}
            onChoose={choose}
            onTry={tryOut}
            onChange={again}
          />
        )}
        {turns.map((turn, index) => (
          <Answer key={index} turn={turn} onOpen={setOpened} />
        ))}
        {knowing && (
          <Needs scope="agents:query">
            <QuestionForm
              {...{ isRunning, turns, onStop: stop, onBegin: beginAnew }}
              onAsk={(text) => askAndOpen(knowing, text)}
            />
          </Needs>
        )}
        {knowing && (
          <Calls
            heading={last ? undefined : anExample}
            method="streamAgent"
            args={[knowing.agent.id, shown]}
            isStream
          />
        )}
      </section>
      {opened && <Source opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
