import { useClient } from '../shared/client.ts'
import { Select } from '../shared/choices.tsx'
import { useLoaded } from '../shared/hooks.ts'
import { nameOf, type Pair, pairsOf } from '../shared/metadata-pairs.ts'

/** Offered are the keys and values of the first documents. */
const looked = 100

type Props = { datastoreId: string; pairs: Pair[]; onChange: (pairs: Pair[]) => void }

/** Picks keys and values of metadata that documents have. */
export function Filter({ datastoreId, pairs, onChange }: Props) {
  const client = useClient()
  const { value = [] } = useLoaded(async (signal) => {
    const { data } = await client.listDatasources(datastoreId, { limit: looked }, { signal })
    return pairsOf(data)
  }, [])
  const free = value.filter((one) => !pairs.some((pair) => nameOf(pair) === nameOf(one)))
  const add = (name: string) => {
    const pair = free.find((one) => nameOf(one) === name)
    if (pair) onChange([...pairs, pair])
  }
  if (value.length === 0) return null
  return (
    <>
      <Select
        label="Only where"
        value=""
        onValue={add}
        options={['', ...free.map(nameOf)].map((name) => [name, name || 'any metadata'])}
      />
      {pairs.map((pair) => (
        <button
          type="button"
          class="chip"
          key={nameOf(pair)}
          aria-label={`Take out the filter ${nameOf(pair)}`}
          onClick={() => onChange(pairs.filter((one) => one !== pair))}
        >
          <bdi>{nameOf(pair)}</bdi> ✕
        </button>
      ))}
    </>
  )
}
