import type { Citation } from '../../../client/src/index.ts'
import { Failure } from '../shared/failure.tsx'
import type { OpenDocument } from '../shared/document-text.ts'
import { useTitles } from '../shared/titles.ts'
import { citedPieces } from './citations.ts'
import { AnswerText } from './answer-text.tsx'
import { ScreenReaderLog } from './screen-reader-log.tsx'
import { pageOf, Sources } from './sources.tsx'
import { isOver, type Turn } from './turn.ts'

type Props = { turn: Turn; onOpen: (opened: OpenDocument) => void }

/** A question and its answer, with a link to the source of each claim. */
export function Answer({ turn, onOpen }: Props) {
  const { body, citations, error, isStopped, result, reason } = turn
  const titleOfSource = useTitles(turn.sources)
  const titleOf = ({ source }: Citation): string => titleOfSource(turn.sources[source])
  const text = result?.answered === false ? (turn.noAnswer ?? turn.text) : turn.text
  const open = (citation: Citation) => onOpen({ ...openedBy(turn, citation), takesFocus: true })
  const link = (citation: Citation, index: number) => (
    <button
      class="cite"
      key={index}
      aria-label={`Source ${citation.source + 1}: ${titleOf(citation)}${pageOf(citation)}`}
      onClick={() => open(citation)}
    >
      [{citation.source + 1}]
    </button>
  )
  return (
    <>
      <article class="turn" aria-busy={!isOver(turn)}>
        <h2 dir="auto">{body.query}</h2>
        <div class={result?.answered === false ? 'answer declined' : 'answer'}>
          {result?.answered === false && <p class="label">Not known</p>}
          <p class="said" dir="auto">
            {citedPieces(text, citations).map((piece) =>
              typeof piece === 'string' ? <AnswerText text={piece} /> : piece.map(link),
            )}
          </p>
          {reason && <p>{reason}</p>}
        </div>
        {citations.length > 0 && <Sources {...{ citations, titleOf, link }} />}
        {!isOver(turn) && text === '' && <p class="quiet">Looking …</p>}
        {isStopped && <p class="quiet">Stopped.</p>}
        {error !== undefined && text !== '' && <p class="quiet">The answer broke off here.</p>}
        <Failure error={error} />
      </article>
      <ScreenReaderLog text={text} isOver={isOver(turn)} />
    </>
  )
}

export function openedBy({ sources }: Turn, { source, quote }: Citation): OpenDocument {
  const { datastore_id: datastoreId = '', datasource_id: datasourceId = '' } = sources[source] ?? {}
  return { datastoreId, datasourceId, marked: quote }
}
