import { useState } from 'preact/hooks'
import type { CreatedKey, Key } from '../../../client/src/index.ts'
import { allOf } from '../shared/all-of.ts'
import { useClient } from '../shared/client.ts'
import { CopyBox } from '../shared/copy-box.tsx'
import { Failure } from '../shared/failure.tsx'
import { useAction, useLoaded } from '../shared/hooks.ts'
import { KeyList } from './key-list.tsx'
import { KeyMaker } from './key-maker.tsx'

/** Makes keys, shows each once, lists and revokes them. */
export function Keys() {
  const client = useClient()
  const [made, setMade] = useState<CreatedKey>()
  const { error, queue } = useAction()
  const {
    value,
    error: listError,
    again,
  } = useLoaded(async (signal) => {
    const keys = await allOf(client.listKeys({ limit: 100 }, { signal }))
    return { keys, ownId: (await client.getCurrentKey({ signal })).id }
  }, [])
  // After the page's own key is revoked, the list cannot be read again.
  const [revoked, setRevoked] = useState<Key[]>([])
  const revoke = (id: string) =>
    queue(async () => {
      const key = await client.revokeKey(id)
      setRevoked((before) => [...before, key])
      if (id === made?.id) setMade(undefined)
      again()
    })
  return (
    <>
      <KeyMaker onMade={(key) => (setMade(key), again())} />
      {made && (
        <section class="made" aria-label="The new key" role="status">
          <p>
            This is the key{' '}
            <b>
              <bdi>{made.name}</bdi>
            </b>
            . It is shown this once: copy it now.
          </p>
          <CopyBox text={made.key} name="The new key itself" />
          <p>
            <a href={`playground#key=${made.key}`} target="_blank" rel="noopener">
              Open this page with it
            </a>
            : the address of this link is all that a colleague needs.
          </p>
        </section>
      )}
      <Failure error={error ?? listError} />
      {value && (
        <KeyList
          keys={value.keys.map((key) => revoked.find(({ id }) => id === key.id) ?? key)}
          ownId={value.ownId}
          onRevoke={revoke}
        />
      )}
    </>
  )
}
