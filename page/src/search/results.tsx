import type { Filters, Fragment, QueryDatastore, QueryMode } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { counted } from '../shared/counted.ts'
import { Failure } from '../shared/failure.tsx'
import type { OpenDocument } from '../shared/document-text.ts'
import { useLoaded } from '../shared/hooks.ts'
import { useTitles } from '../shared/titles.ts'
import type { Best } from './best-scores.tsx'
import { Highlighted } from './highlighted.tsx'
import { bestSentence } from './excerpt.ts'

type Props = {
  datastoreId: string
  query: string
  mode: QueryMode
  filters: Filters | undefined
  minScore: number
  onBest: (best: Best) => void
  onOpen: (found: Omit<OpenDocument, 'datastoreId'>) => void
}

export const searchOf = (query: string, mode: QueryMode, filters: Filters | undefined) => ({
  query,
  mode,
  topK: 10,
  include: ['highlights', 'span'] satisfies QueryDatastore['include'],
  ...(filters && { filters }),
})

/** The fragments of one mode, best first; those below `minScore` stay, greyed. */
export function Results({ datastoreId, query, mode, filters, minScore, onBest, onOpen }: Props) {
  const client = useClient()
  const { value, error, isBusy } = useLoaded(
    async (signal) => {
      if (query === '') return undefined
      const body = searchOf(query, mode, filters)
      const began = performance.now()
      const fragments = await client.queryDatastore(datastoreId, body, { signal })
      onBest({ query, mode, score: fragments[0]?.score ?? 0 })
      return { fragments, milliseconds: Math.round(performance.now() - began) }
    },
    [query, mode, filters],
  )
  const titleOf = useTitles(value?.fragments ?? [], datastoreId)
  const isIn = ({ score }: Fragment) => score >= minScore
  const count = value?.fragments.filter(isIn).length ?? 0
  return (
    <section aria-label={`Found by ${mode}`}>
      <p class="quiet" role="status">
        {isBusy && query !== '' && `${mode}: searching …`}
        {!isBusy && value && `${mode}: ${counted(count, 'fragment')} · ${value.milliseconds} ms`}
      </p>
      <Failure error={error} />
      <ol class="results">
        {value?.fragments.map((fragment) => (
          <Result
            key={`${fragment.datasource_id} ${fragment.span?.start}`}
            {...{ fragment, title: titleOf(fragment), isIn: isIn(fragment), onOpen }}
          />
        ))}
      </ol>
    </section>
  )
}

type ResultProps = { fragment: Fragment; title: string; isIn: boolean } & Pick<Props, 'onOpen'>

function Result({ fragment, title, isIn, onOpen }: ResultProps) {
  const { datasource_id: datasourceId, score, span } = fragment
  return (
    <li class={isIn ? '' : 'below'}>
      <header>
        <button
          class="cite"
          onClick={() => onOpen({ datasourceId, marked: bestSentence(fragment) })}
        >
          <bdi>{title}</bdi>
          {span?.page !== undefined && `, page ${span.page}`}
        </button>
        <meter value={Math.max(0, score)} aria-label={`Score of ${title}`} />
        <span class="quiet">
          {score.toFixed(2).replace('-0.00', '0.00')}
          {!isIn && ', below minScore'}
        </span>
      </header>
      <Highlighted fragment={fragment} />
    </li>
  )
}
