import { useEffect, useRef, useState } from 'preact/hooks'
import type { QueryAgent } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { afterEvent, begun, isOver, type Turn } from './turn.ts'
import { reasonOf } from './why-declined.ts'
import type { Knowing } from './agents.ts'

/** The turns of the conversation about each datastore, kept while other parts are shown. */
export type Conversations = Map<string, Turn[]>

/** The turns of one conversation with an agent; each question continues it. */
export function useConversation(kept: Conversations, datastoreId: string) {
  const client = useClient()
  const [turns, show] = useState(kept.get(datastoreId) ?? [])
  const setTurns = (next: (all: Turn[]) => Turn[]) => {
    const all = next(kept.get(datastoreId) ?? [])
    kept.set(datastoreId, all)
    show(all)
  }
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const last = turns.at(-1)
  const change = (next: (turn: Turn) => Turn) =>
    setTurns((all) => [...all.slice(0, -1), ...all.slice(-1).map(next)])

  /** Asks, and gives the turn as it ended. */
  const ask = async (knowing: Knowing, body: QueryAgent, noAnswer?: string): Promise<Turn> => {
    running.current?.abort()
    const stop = (running.current = new AbortController())
    const conversationId = turns.findLast(({ result }) => result)?.result?.conversationId
    const asked = { ...body, ...(conversationId && { conversationId }) }
    let turn = begun(knowing.agent.id, asked, noAnswer)
    setTurns((all) => [...all, turn])
    const tell = (next: Turn) => {
      turn = next
      if (running.current === stop) change(() => next)
    }
    try {
      const { signal } = stop
      for await (const event of client.streamAgent(knowing.agent.id, asked, { signal })) {
        tell(afterEvent(turn, event))
      }
      if (turn.result?.answered === false) {
        tell({ ...turn, reason: await reasonOf(client, knowing, turn) })
      }
    } catch (error) {
      tell({ ...turn, ...(stop.signal.aborted ? { isStopped: true } : { error }) })
    }
    return turn
  }
  const stop = () => running.current?.abort()
  const begin = () => {
    stop()
    running.current = undefined
    setTurns(() => [])
  }
  return { turns, ask, stop, begin, isRunning: last !== undefined && !isOver(last) }
}
