import type { DatasourceSummary } from '../../../client/src/index.ts'
import { counted } from '../shared/counted.ts'
import { wordsOf } from '../shared/failure.tsx'
import { type Upload, uploadsOf } from './upload.ts'

type Props = { uploads: Upload[]; onSend: (uploads: Upload[]) => void }

/** The state and outcome of each upload, failed ones first. */
export function Uploads({ uploads, onSend }: Props) {
  const failed = uploads.filter(({ state }) => state === 'failed')
  const listed = uploads.toSorted((one, other) => Number(isWrong(other)) - Number(isWrong(one)))
  return (
    <>
      <p class="quiet" role="status">
        {uploads.length > 0 && summaryOf(uploads)}
      </p>
      {failed.length > 0 && <button onClick={() => onSend(uploadsOf(failed))}>Try again</button>}
      <ul class="uploads" aria-label="Uploads" tabIndex={uploads.length > 0 ? 0 : undefined}>
        {listed.map((upload, index) => (
          <li key={`${upload.path} ${index}`} class={upload.state}>
            <bdi>{upload.path}</bdi> <span>{outcomeOf(upload)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const isWrong = ({ state }: Upload): boolean => state === 'failed' || state === 'refused'

function summaryOf(uploads: Upload[]): string {
  const count = (state: Upload['state']) => uploads.filter((one) => one.state === state).length
  const [done, failed] = [count('done'), uploads.filter(isWrong).length]
  return `${done} of ${counted(uploads.length, 'file')} put in${failed > 0 ? `, ${failed} not` : ''}`
}

function outcomeOf({ state, stored, error }: Upload): string {
  if (state === 'failed' || state === 'refused') return `✗ ${wordsOf(error)}`
  if (!stored) return state === 'waiting' ? 'waits' : 'is read …'
  return sizeOf(stored)
}

/** The number of a document's fragments and pages. */
export function sizeOf({ fragmentCount, pages, pagesWithoutText }: DatasourceSummary): string {
  const parts = [counted(fragmentCount, 'fragment')]
  if (pages) parts.push(counted(pages.length, 'page'))
  if (pagesWithoutText?.length) parts.push(`no text on page ${pagesWithoutText.join(', ')}`)
  return `✓ ${parts.join(', ')}`
}
