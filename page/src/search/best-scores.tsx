import type { QueryMode } from '../../../client/src/index.ts'

/** A query and the score of the best fragment that it found. */
export type Best = { query: string; mode: QueryMode; score: number }

const kept = 8

/** The newest first; what somebody typed on its way to a query is not one of them. */
export function withBest(all: Best[], next: Best): Best[] {
  const isTypedOn = ({ query, mode }: Best) =>
    mode === next.mode && (next.query.startsWith(query) || query.startsWith(next.query))
  return [next, ...all.filter((one) => !isTypedOn(one))].slice(0, kept)
}

/** Shows by bars which of the last queries `minScore` would leave without anything. */
export function BestScores({ all, minScore }: { all: Best[]; minScore: number }) {
  if (all.length === 0) return null
  return (
    <details class="scores" open>
      <summary>Best scores of your last queries</summary>
      <ol>
        {all.map(({ query, mode, score }) => (
          <li key={`${mode} ${query}`} class={score < minScore ? 'below' : ''}>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width={100 * Math.max(0, score)} height="10" />
              <line x1={100 * minScore} x2={100 * minScore} y2="10" />
            </svg>
            <span>{score.toFixed(2)}</span>
            <span>
              <bdi>{query}</bdi> <span class="quiet">{mode}</span>
              {score < minScore && <span class="quiet">, nothing is left</span>}
            </span>
          </li>
        ))}
      </ol>
      <p class="quiet">The line is minScore: a bar that ends before it leaves nothing.</p>
    </details>
  )
}
