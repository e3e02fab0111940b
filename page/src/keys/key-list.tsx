import type { Key } from '../../../client/src/index.ts'
import { ConfirmButton } from '../shared/confirm-button.tsx'

type Props = {
  keys: Key[]
  /** The key of this page. */
  ownId: string
  onRevoke: (id: string) => void
}

/** The keys that there are and were. */
export function KeyList({ keys, ownId, onRevoke }: Props) {
  return (
    <ul class="list" aria-label="Keys">
      {keys.map((key) => (
        <li key={key.id}>
          <span class="open">
            <bdi>{key.name}</bdi> <span class="quiet">ads_{key.id}</span>
          </span>
          <span class="quiet">{detailsOf(key)}</span>
          {key.revokedAt === null && (
            <ConfirmButton
              label={key.id === ownId ? 'Revoke the key of this page' : 'Revoke'}
              name={key.name}
              onConfirm={() => onRevoke(key.id)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

function detailsOf({ workspace, scopes, expiresAt, revokedAt }: Key): string {
  if (revokedAt !== null) return `revoked on ${revokedAt.slice(0, 10)}`
  const end = expiresAt === null ? '' : ` · expires on ${expiresAt.slice(0, 10)}`
  return `${workspace} · ${scopes.join(', ')}${end}`
}
