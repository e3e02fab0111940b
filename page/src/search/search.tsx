import { useMemo, useState } from 'preact/hooks'
import { type Datastore, QueryMode } from '../../../client/src/index.ts'
import { anExample, Calls } from '../shared/calls.tsx'
import { Select } from '../shared/choices.tsx'
import { Field } from '../shared/form.tsx'
import type { OpenDocument } from '../shared/document-text.ts'
import { DocumentView } from '../shared/document-view.tsx'
import { type Best, BestScores, withBest } from './best-scores.tsx'
import { Filter } from './filter.tsx'
import { filtersOf, type Pair } from '../shared/metadata-pairs.ts'
import { Results, searchOf } from './results.tsx'
import { useDebounced } from '../shared/hooks.ts'

const modes = Object.values(QueryMode)
const pause = 250

/** Searches as one types, in one mode or in all of them side by side. */
export function Search({ datastore }: { datastore: Datastore }) {
  const [text, setText] = useState('')
  const [mode, setMode] = useState<QueryMode | 'all'>('hybrid')
  const [minScore, setMinScore] = useState(0)
  const [pairs, setPairs] = useState<Pair[]>([])
  const [best, setBest] = useState<Best[]>([])
  const [opened, setOpened] = useState<OpenDocument>()
  const query = useDebounced(text, pause).trim()
  const filters = useMemo(() => filtersOf(pairs), [pairs])
  const shown = mode === 'all' ? modes : [mode]
  const open = (found: Omit<OpenDocument, 'datastoreId'>) =>
    setOpened({ datastoreId: datastore.id, takesFocus: true, ...found })
  const body = searchOf(query || 'when does it open', shown[0]!, filters)
  return (
    <div class={opened ? 'split' : ''}>
      <section aria-label={`Search in ${datastore.name}`}>
        <form class="row question" onSubmit={(event) => event.preventDefault()}>
          <Field label="Search" type="search" value={text} onValue={setText} />
          <Select
            label="Mode"
            value={mode}
            onValue={(one) => setMode(one as QueryMode | 'all')}
            options={[
              ...modes.map((one) => [one, one] as [string, string]),
              ['all', 'all, side by side'],
            ]}
          />
          <Field
            label={`minScore ${minScore.toFixed(2)}`}
            type="range"
            isShort
            {...{ max: 1, step: 0.01 }}
            value={minScore}
            onValue={(value) => setMinScore(Number(value))}
          />
          <Filter datastoreId={datastore.id} pairs={pairs} onChange={setPairs} />
        </form>
        <BestScores all={best} minScore={minScore} />
        <div class="columns">
          {shown.map((one) => (
            <Results
              key={one}
              {...{ datastoreId: datastore.id, query, filters, minScore, mode: one }}
              onBest={(next) => setBest((all) => withBest(all, next))}
              onOpen={open}
            />
          ))}
        </div>
        <Calls
          heading={headingOf(query, mode)}
          method="queryDatastore"
          args={[datastore.id, { ...body, ...(minScore > 0 && { minScore }) }]}
        />
      </section>
      {opened && <DocumentView opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

const headingOf = (query: string, mode: QueryMode | 'all'): string | undefined => {
  if (query === '') return anExample
  return mode === 'all' ? `The same from a program, of ${modes[0]} alone` : undefined
}
