import { counted } from '../shared/counted.ts'
import { wordsOf } from '../shared/failure.tsx'
import type { Upload } from './upload.ts'

/** Each file with how far it is, and what was made of it or why not. */
export function Uploads({ uploads }: { uploads: Upload[] }) {
  return (
    <>
      <p class="quiet" role="status">
        {uploads.length > 0 && summaryOf(uploads)}
      </p>
      <ul class="uploads" aria-label="Uploads" tabIndex={uploads.length > 0 ? 0 : undefined}>
        {uploads.map((upload) => (
          <li key={upload.name} class={upload.state}>
            <bdi>{upload.name}</bdi> <span>{outcomeOf(upload)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function summaryOf(uploads: Upload[]): string {
  const count = (state: Upload['state']) => uploads.filter((one) => one.state === state).length
  const [done, failed] = [count('done'), count('failed')]
  return `${done} of ${counted(uploads.length, 'file')} put in${failed > 0 ? `, ${failed} not` : ''}`
}

function outcomeOf({ state, stored, error }: Upload): string {
  if (state === 'failed') return `✗ ${wordsOf(error)}`
  if (!stored) return state === 'waiting' ? 'waits' : 'is read …'
  const { fragmentCount, pages, pagesWithoutText } = stored
  const parts = [counted(fragmentCount, 'fragment')]
  if (pages) parts.push(counted(pages.length, 'page'))
  if (pagesWithoutText?.length) parts.push(`no text on page ${pagesWithoutText.join(', ')}`)
  return `✓ ${parts.join(', ')}`
}
