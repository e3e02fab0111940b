import type { AgentsDatastores, Fragment } from '../../../client/src/index.ts'
import type { AgentWithKnowledge } from './agents.ts'
import type { Turn } from './turn.ts'

/** Looks for what an agent found, and says which bound kept it from an answer. */
export async function reasonOf(
  client: AgentsDatastores,
  { knowledge }: AgentWithKnowledge,
  { body, result }: Turn,
): Promise<string> {
  if (result && result.sources.length > 0) {
    return `The model read ${result.sources.length} fragments, and says that they do not answer this.`
  }
  const { mode, datastoreIds } = knowledge
  const minScore = body.minScore ?? knowledge.minScore ?? undefined
  const search = { query: body.query, topK: 1, mode, filters: knowledge.filters }
  try {
    const found = await Promise.all(datastoreIds.map((id) => client.queryDatastore(id, search)))
    return reasonFor(bestOf(found.flat()), minScore)
  } catch {
    // A key may ask without being able to search; then nobody knows more than the agent says.
    return 'Nothing stored seems to answer this.'
  }
}

const bestOf = (fragments: Fragment[]): Fragment | undefined =>
  fragments.toSorted((one, other) => other.score - one.score)[0]

function reasonFor(best: Fragment | undefined, minScore: number | undefined): string {
  if (!best) return 'No fragment has anything of this question.'
  const nearest = `The nearest fragment, of ${best.datasource_name || 'a document without a name'}, scores ${best.score.toFixed(2)}`
  if (minScore !== undefined && best.score < minScore) {
    return `${nearest}, which is below the minScore of ${minScore}.`
  }
  return `${nearest}, but holds too little of the question to be more than chance.`
}
