import type { ComponentChildren } from 'preact'
import type { AgentsDatastores, Fragment } from '../../../client/src/index.ts'
import type { AgentWithKnowledge } from './agents.ts'
import type { Turn } from './turn.ts'

/** Looks for what an agent found, and says which bound kept it from an answer. */
export async function reasonOf(
  client: AgentsDatastores,
  { agent, knowledge: before }: AgentWithKnowledge,
  { body, result }: Turn,
): Promise<ComponentChildren> {
  if (result && result.sources.length > 0) {
    return `The model read ${result.sources.length} fragments, and says that they do not answer this.`
  }
  try {
    // It is without the datastores that were deleted meanwhile.
    const knowledge = await client.getKnowledge(agent.id)
    const { mode, datastoreIds, filters } = knowledge
    if (datastoreIds.length === 0) return withoutDatastores(before.datastoreIds.length > 0)
    const search = { query: body.query, topK: 1, mode, filters }
    const found = await Promise.all(datastoreIds.map((id) => client.queryDatastore(id, search)))
    return reasonFor(bestOf(found.flat()), body.minScore ?? knowledge.minScore ?? undefined)
  } catch {
    // A key may ask without being able to search; then nobody knows more than the agent says.
    return 'Nothing stored seems to answer this.'
  }
}

const withoutDatastores = (hadSome: boolean): string =>
  hadSome
    ? 'The datastore that it answered from is gone. Choose another one.'
    : 'It answers from no datastore.'

const bestOf = (fragments: Fragment[]): Fragment | undefined =>
  fragments.toSorted((one, other) => other.score - one.score)[0]

function reasonFor(best: Fragment | undefined, minScore: number | undefined): ComponentChildren {
  if (!best) return 'No fragment has anything of this question.'
  const isBelow = minScore !== undefined && best.score < minScore
  return (
    <>
      The nearest fragment, of <bdi>{best.datasource_name || 'a document without a name'}</bdi>,
      scores {best.score.toFixed(2)},{' '}
      {isBelow
        ? `which is below the minScore of ${minScore}.`
        : 'but holds too little of the question to be more than chance.'}
    </>
  )
}
