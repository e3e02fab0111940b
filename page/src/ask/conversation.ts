import { useEffect, useRef, useState } from 'preact/hooks'
import type { QueryAgent } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import type { AgentWithKnowledge, Tried } from './agents.ts'
import { afterEvent, newTurn, isOver, type Turn } from './turn.ts'
import { reasonOf } from './why-declined.tsx'

type Change = (turns: Turn[]) => Turn[]

/** Who answers; without an id, the first agent of the datastore. */
export type Choice = { agentId?: string | undefined; tried: Tried }

/** The conversation about each datastore, and the chosen agent. They outlive the pane, and are lost on reload. */
export type Conversations = {
  choiceOf: (datastoreId: string) => Choice
  choose: (datastoreId: string, choice: Choice) => void
  turnsOf: (datastoreId: string) => Turn[]
  change: (datastoreId: string, change: Change) => void
}

export function useConversations(): Conversations {
  const [all, setAll] = useState<Record<string, Turn[]>>({})
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const latest = useRef(all)
  latest.current = all
  useEffect(() => () => Object.values(latest.current).forEach(stopLast), [])
  return {
    choiceOf: (id) => choices[id] ?? { agentId: all[id]?.at(-1)?.agentId, tried: {} },
    choose: (id, choice) => setChoices((now) => ({ ...now, [id]: choice })),
    turnsOf: (id) => all[id] ?? [],
    change: (id, change) => setAll((now) => ({ ...now, [id]: change(now[id] ?? []) })),
  }
}

const stopLast = (turns: Turn[]): void => turns.at(-1)?.stopping.abort()

/** The turns of one conversation with an agent; each question continues it. */
export function useConversation({ turnsOf, change }: Conversations, datastoreId: string) {
  const client = useClient()
  const turns = turnsOf(datastoreId)
  const last = turns.at(-1)

  /** Asks, and gives the turn as it ended. */
  const ask = async (
    { agent, knowledge }: AgentWithKnowledge,
    body: QueryAgent,
    noAnswer?: string,
  ): Promise<Turn> => {
    stopLast(turns)
    const before = turns.findLast(({ agentId, result }) => result && agentId === agent.id)
    const conversationId = before?.result?.conversationId
    const asked = { ...body, ...(conversationId && { conversationId }) }
    let turn = newTurn(agent.id, asked, noAnswer)
    const { stopping } = turn
    change(datastoreId, (all) => [...all, turn])
    const update = (next: Turn) => {
      turn = next
      change(datastoreId, (all) => all.map((one) => (one.stopping === stopping ? next : one)))
    }
    try {
      const { signal } = stopping
      for await (const event of client.streamAgent(agent.id, asked, { signal })) {
        update(afterEvent(turn, event))
      }
      if (turn.result?.answered === false) {
        update({ ...turn, reason: await reasonOf(client, { agent, knowledge }, turn) })
      }
    } catch (error) {
      update({ ...turn, ...(stopping.signal.aborted ? { isStopped: true } : { error }) })
    }
    return turn
  }
  const stop = () => stopLast(turns)
  const begin = () => {
    stop()
    change(datastoreId, () => [])
  }
  return { turns, ask, stop, begin, isRunning: last !== undefined && !isOver(last) }
}
