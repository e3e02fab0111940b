import { useEffect, useState } from 'preact/hooks'
import type { Datastore, QueryAgent } from '../../../client/src/index.ts'
import { anExample, Calls } from '../shared/calls.tsx'
import { Failure, isGone } from '../shared/failure.tsx'
import type { OpenDocument } from '../shared/document-text.ts'
import { hrefOf } from '../shared/route.ts'
import { Needs } from '../shared/scopes.tsx'
import { DocumentView } from '../shared/document-view.tsx'
import { AgentChoice } from './agent-choice.tsx'
import { askedOf, type AgentWithKnowledge } from './agents.ts'
import { Answer, openedBy } from './answer.tsx'
import { type Conversations, useConversation } from './conversation.ts'
import { QuestionForm } from './question-form.tsx'
import type { Turn } from './turn.ts'
import { useAgents } from './use-agents.ts'

type Props = { datastore: Datastore; conversations: Conversations; question?: string }

const hasFailed = (turn: Turn): boolean => turn.error !== undefined || turn.isStopped === true

/** Asks an agent that answers from a datastore, and shows the sources at the side. */
export function Ask({ datastore, conversations, question }: Props) {
  const { turns, ask, stop, begin, isRunning } = useConversation(conversations, datastore.id)
  const [opened, setOpened] = useState<OpenDocument>()
  const { agents, error, again, knowing, tried, choose, tryOut } = useAgents(
    conversations,
    datastore,
  )
  const askAndOpen = async (asked: AgentWithKnowledge, query: string) => {
    const turn = await ask(asked, { query, ...askedOf(tried) }, tried.noAnswer)
    const [first] = turn.citations
    const next = first && !turn.isStopped ? openedBy(turn, first) : undefined
    // What somebody opened meanwhile stays.
    setOpened((now) => (now && now !== opened ? now : next))
    // The agent may be gone.
    if (isGone(turn.error)) again()
    return turn.error !== undefined
  }
  const beginAnew = () => {
    begin()
    setOpened(undefined)
  }
  /** A conversation with another agent does not continue. */
  const chooseAnew = (id?: string) => {
    choose(id)
    beginAnew()
  }
  useEffect(() => {
    const isAsked = turns.some((turn) => turn.body.query === question && !hasFailed(turn))
    if (knowing && question && !isAsked) void askAndOpen(knowing, question)
  }, [knowing === undefined, question])
  const last = turns.at(-1)
  const shown: QueryAgent = last?.body ?? { query: 'When does it open?', ...askedOf(tried) }
  return (
    <div class={opened ? 'split' : ''}>
      <section aria-label="Questions and answers">
        <NoAgents {...{ error, again, datastore }} />
        {agents && (
          <AgentChoice
            {...{ agents, knowing, datastore, tried }}
            onChoose={chooseAnew}
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
      {opened && <DocumentView opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

type NoAgentsProps = { error: unknown; again: () => void; datastore: Datastore }

/** Says why the agents cannot be listed, and leads on. */
function NoAgents({ error, again, datastore }: NoAgentsProps) {
  if (error === undefined) return null
  return (
    <>
      <Failure error={error} again={again} />
      <p>
        A search needs no agent:{' '}
        <a href={hrefOf({ pane: 'search', datastore: datastore.id })}>search here</a>
      </p>
    </>
  )
}
