import type { JSX } from 'preact'
import type { Citation } from '../../../client/src/index.ts'
import { supportInWords } from './citations.ts'

type Props = {
  citations: Citation[]
  titleOf: (citation: Citation) => string
  link: (citation: Citation, index: number) => JSX.Element
}

/** A line for each quote of an answer. Several quotes of one source begin with their words. */
export function Sources({ citations, titleOf, link }: Props) {
  const quotes = [...new Map(citations.map((one) => [placeOf(one), one])).values()]
  const isAlone = ({ source }: Citation) => quotes.filter((one) => one.source === source).length < 2
  return (
    <ul class="sources" aria-label="Sources">
      {quotes.map((citation, index) => (
        <li key={index}>
          {link(citation, index)} <bdi>{titleOf(citation)}</bdi>
          {pageOf(citation)}
          <span class="quiet">
            {!isAlone(citation) && (
              <>
                {' · '}
                <bdi>{beginningOf(citation)}</bdi>
              </>
            )}
            {' · '}
            {supportInWords(citation.support)}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const pageOf = ({ quote }: Citation): string =>
  quote.page === undefined ? '' : `, page ${quote.page}`

const placeOf = ({ source, quote }: Citation): string => `${source} ${quote.start} ${quote.end}`

const maxShown = 60

function beginningOf({ quote: { text } }: Citation): string {
  const characters = [...text]
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join('')} …` : text
}
