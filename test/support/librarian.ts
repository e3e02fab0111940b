import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { type StreamedEvent, streamAgent } from '../../generated/stream-agent.gen.ts'
import type { CreateAgent, Message, Problem, QueryAgent } from '../../generated/types.gen.ts'
import { makeAgent, makeDatastore, upsert } from './things.ts'

export const openingHours = 'The library opens at nine in the morning, Monday to Saturday.'
export const question = 'When does the library open?'

/** The id of an agent that knows these texts. */
export async function makeLibrarian(
  client: Client,
  fields: Partial<CreateAgent> = {},
  ...texts: string[]
): Promise<string> {
  const datastoreId = await makeDatastore(client)
  await upsert(client, datastoreId, openingHours, ...texts)
  const { id } = await makeAgent(client, fields)
  const body = { datastoreIds: [datastoreId] }
  await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
  return id
}

export type Streamed = { events: StreamedEvent[]; thrown?: unknown; problem?: Problem }

/** The events of an answer, and what was thrown instead of its end. */
export async function stream(
  client: Client,
  id: string,
  body: Partial<QueryAgent> = {},
  signal?: AbortSignal,
): Promise<Streamed> {
  const events: StreamedEvent[] = []
  const options = { client, path: { id }, body: { query: question, ...body }, signal }
  try {
    for await (const event of streamAgent(options)) events.push(event)
    return { events }
  } catch (thrown) {
    const isProblem = typeof thrown === 'object' && thrown !== null && 'code' in thrown
    return { events, thrown, ...(isProblem && { problem: thrown as Problem }) }
  }
}

/** What a visitor asked and was answered in all conversations. */
export async function messagesOf(
  client: Client,
  agentId: string,
  visitorId: string,
): Promise<Message[]> {
  const path = { id: agentId }
  const listed = await sdk.listConversations({
    client,
    path,
    query: { visitorId },
    throwOnError: true,
  })
  const conversations = listed.data.data.map(({ id }) =>
    sdk.getConversation({ client, path: { id }, throwOnError: true }),
  )
  return (await Promise.all(conversations)).flatMap(({ data }) => data.messages)
}
