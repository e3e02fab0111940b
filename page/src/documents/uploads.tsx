import { counted } from '../shared/counted.ts'
import { wordsOf } from '../shared/failure.tsx'
import type { Upload } from './upload.ts'

/** Each file with how far it is, and what was made of it or why not. */
export function Uploads({ uploads }: { uploads: Upload[] }) {
  return (
    <ul class="uploads" aria-label="Uploads" aria-live="polite">
      {uploads.map((upload) => (
        <li key={upload.name} class={upload.state}>
          <bdi>{upload.name}</bdi> <span>{outcomeOf(upload)}</span>
        </li>
      ))}
    </ul>
  )
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
