import { useRef, useState } from 'preact/hooks'
import type { AgentsDatastores, Datastore } from '../../client/src/index.ts'
import { makeAgent } from './ask/agents.ts'
import { useClient } from './shared/client.ts'
import { Failure } from './shared/failure.tsx'
import { goTo } from './shared/route.ts'
import { useAction } from './shared/hooks.ts'

const question = 'How long may I keep a book?'

const files: Record<string, { kind: string; lang: string }> = {
  'opening-hours.md': { kind: 'service', lang: 'en' },
  'lending.pdf': { kind: 'rules', lang: 'en' },
  'fees.html': { kind: 'rules', lang: 'en' },
  'reading-room.md': { kind: 'service', lang: 'en' },
  'lost-and-found.md': { kind: 'service', lang: 'en' },
  'children.html': { kind: 'service', lang: 'en' },
  'history.pdf': { kind: 'town', lang: 'en' },
  'events.html': { kind: 'town', lang: 'en' },
  'printing.md': { kind: 'service', lang: 'en' },
  'ausleihe.md': { kind: 'rules', lang: 'de' },
}

/** Fills a datastore with the sample, asks it something, and shows the answer. */
export function SampleButton() {
  const client = useClient()
  const [count, setCount] = useState(0)
  // What could not be taken away is gone on with.
  const left = useRef<Datastore | undefined>(undefined)
  const { error, isBusy, run } = useAction()
  const total = Object.keys(files).length
  return (
    <>
      <button
        class="main"
        aria-disabled={isBusy}
        onClick={() => void run(() => fill(client, left, setCount))}
      >
        Try it with a sample
      </button>
      <span class="quiet" role="status">
        {isBusy && ` ${count} of ${total} documents are in`}
      </span>
      <Failure error={error} />
    </>
  )
}

/** Where it fails, it takes away again what it made. */
async function fill(
  client: AgentsDatastores,
  left: { current?: Datastore | undefined },
  tell: (count: number) => void,
): Promise<void> {
  tell(0)
  const fetched = await Promise.all(Object.keys(files).map(fetchFile))
  const datastore = (left.current ??= await client.createDatastore({ name: 'Sample library' }))
  let count = 0
  const put = async (file: File) => {
    const metadata = { ...files[file.name] }
    await client.uploadFile(datastore.id, { file, key: file.name, metadata })
    tell((count += 1))
  }
  try {
    await Promise.all(fetched.map(put))
    await makeAgent(client, datastore)
  } catch (error) {
    const forget = () => (left.current = undefined)
    await client.deleteDatastore(datastore.id).then(forget, () => {})
    throw error
  }
  goTo({ pane: 'ask', datastore: datastore.id, question })
}

/** @throws Error in words, where there is no such file */
async function fetchFile(name: string): Promise<File> {
  const answer = await fetch(`docs/sample/${name}`).catch(() => undefined)
  if (!answer?.ok)
    throw new Error(`${name} of the sample does not come from the server. Try again.`)
  return new File([await answer.blob()], name)
}
