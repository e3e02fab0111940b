import { afterEach, expect, test, vi } from 'vitest'
import type { NewMessage } from '../../../../src/store/records/message-table.ts'
import { Messages } from '../../../../src/store/records/messages.ts'
import { openDatabase, temporaryDirectory } from '../../../support/server.ts'

afterEach(() => void vi.useRealTimers())

const messageOf = (conversationId: string, position: number): NewMessage => ({
  id: `${conversationId}-${position}`,
  workspace: 'default',
  agentId: 'agent',
  conversationId,
  visitorId: '',
  position,
  role: 'user',
  content: 'When?',
  details: '',
})
const turnOf = (conversationId: string, first: number, count: number) =>
  Array.from({ length: count }, (_, more) => messageOf(conversationId, first + more))

test(
  'old conversations go, however many old messages a lively one has',
  { tags: 'deep' },
  async () => {
    const messages = await Messages.open(await openDatabase(await temporaryDirectory()))
    const on = async (day: string, turn: NewMessage[]) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(day) })
      await messages.append(turn)
    }
    await on('2026-01-01', turnOf('lively', 0, 15_000))
    await on('2026-01-02', [...turnOf('old', 0, 9_000), ...turnOf('older', 0, 2)])
    await on('2026-03-01', turnOf('lively', 15_000, 2))
    await messages.removeOlder('2026-02-01')
    const left = await messages.extents(['lively', 'old', 'older'])
    expect([...left].map(([id, { messageCount }]) => [id, messageCount])).toEqual([
      ['lively', 15_002],
    ])
    await messages.idle()
  },
)
