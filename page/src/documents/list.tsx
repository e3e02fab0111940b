import { useState } from 'preact/hooks'
import type { DatasourceSummary } from '../../../client/src/index.ts'
import { counted } from '../shared/counted.ts'
import { Field } from '../shared/form.tsx'
import { nameOf } from '../shared/metadata-pairs.ts'
import { ConfirmButton } from '../shared/confirm-button.tsx'
import { titleOf } from '../shared/titles.ts'
import { maxListed } from './all-documents.ts'

type Props = {
  documents: DatasourceSummary[]
  openedId: string | undefined
  onOpen: (id: string) => void
  /** Without it, nothing here deletes a document. */
  onDelete: ((id: string) => void) | undefined
}

/** The documents, to find by name or metadata, to open and to delete. */
export function DocumentList({ documents, openedId, onOpen, onDelete }: Props) {
  const [sought, setSought] = useState('')
  const found = documents.filter((one) => textOf(one).includes(plain(sought)))
  if (documents.length === 0) return <p>Nothing is in this datastore yet.</p>
  return (
    <>
      <Field label="Find by name or metadata" type="search" value={sought} onValue={setSought} />
      <p class="quiet" role="status">
        {found.length === documents.length
          ? counted(documents.length, 'document')
          : `${found.length} of ${counted(documents.length, 'document')}`}
      </p>
      {documents.length === maxListed && (
        <p class="quiet">Only the first {maxListed} documents are listed. Search finds all.</p>
      )}
      <ul class="list" aria-label="Documents">
        {found.map((one) => (
          <li key={one.id} aria-current={one.id === openedId ? 'true' : undefined}>
            <button class="open" onClick={() => onOpen(one.id)}>
              <bdi>{titleOf(one)}</bdi>
            </button>
            <span class="quiet">{detailsOf(one)}</span>
            {onDelete && (
              <ConfirmButton
                label="Delete"
                name={titleOf(one)}
                onConfirm={() => onDelete(one.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What a document is found by. */
const textOf = (one: DatasourceSummary): string => {
  const pairs = Object.entries(one.metadata ?? {}).map(([key, value]) => nameOf({ key, value }))
  return plain([titleOf(one), ...pairs].join('\n'))
}

/** Some systems write a letter and its dots apart. */
const plain = (text: string): string => text.normalize('NFC').toLowerCase()

const detailsOf = ({ fragmentCount, updatedAt }: DatasourceSummary): string =>
  `${counted(fragmentCount, 'fragment')} · ${updatedAt.slice(0, 10)}`
