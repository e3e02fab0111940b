import { useState } from 'preact/hooks'
import type { AgentsDatastores } from '../../client/src/index.ts'
import { makeAgent } from './ask/agents.ts'
import { useClient } from './shared/client.ts'
import { Failure } from './shared/failure.tsx'
import { goTo } from './shared/place.ts'
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
  const { error, isBusy, run } = useAction()
  const total = Object.keys(files).length
  return (
    <>
      <button
        class="main"
        aria-disabled={isBusy}
        onClick={() => void run(() => fill(client, setCount))}
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

async function fill(client: AgentsDatastores, tell: (count: number) => void): Promise<void> {
  const datastore = await client.createDatastore({ name: 'Sample library' })
  let count = 0
  const put = async ([name, metadata]: [string, object]) => {
    const answer = await fetch(`docs/sample/${name}`)
    const file = new File([await answer.blob()], name)
    await client.uploadFile(datastore.id, { file, key: name, metadata: { ...metadata } })
    tell((count += 1))
  }
  await Promise.all(Object.entries(files).map(put))
  await makeAgent(client, datastore)
  goTo({ pane: 'ask', datastore: datastore.id, question })
}
