import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { allOf } from '../shared/all-of.ts'
import { useClient } from '../shared/client.ts'
import { Tick } from '../shared/choices.tsx'
import { Form } from '../shared/form.tsx'
import { useMay } from '../shared/scopes.tsx'
import { useLoaded } from '../shared/hooks.ts'
import { type AgentWithKnowledge, saveSettings, type Tried } from './agents.ts'
import { SettingFields } from './setting-fields.tsx'

type Props = {
  knowing: AgentWithKnowledge
  tried: Tried
  onTry: (tried: Tried) => void
  onChange: () => void
  /** Shown below the settings. */
  children: ComponentChildren
}

/** What an agent answers by. A change counts for the next questions here, and for all once it is saved. */
export function AgentSettings({ knowing, tried, onTry, onChange, children }: Props) {
  const client = useClient()
  const mayWrite = useMay('agents:write')
  const { agent, knowledge } = knowing
  const minScore = knowledge.minScore ?? undefined
  const shown = { ...agent, ...knowledge, minScore, ...tried }
  const set = (change: Tried) => {
    setSaved(undefined)
    onTry({ ...tried, ...change })
  }
  const [saved, setSaved] = useState<Tried>()
  // What was saved stays in sight until it comes back, and what was changed meanwhile beyond that.
  useEffect(() => {
    if (saved) onTry(without(tried, saved))
  }, [knowing])
  const isTried = Object.keys(tried).length > 0
  const save = async () => {
    await saveSettings(client, agent, tried)
    setSaved(tried)
    onChange()
  }
  return (
    <details class="settings" onKeyDown={sendNothing}>
      <summary>Settings{isTried && ' (tried, not saved)'}</summary>
      <Form class="stack" button={mayWrite ? 'Save for everybody' : undefined} onSend={save}>
        <SettingFields shown={shown} onChange={set} />
        <p class="quiet">
          These changes count at once here, and for everybody once they are saved. The prompts, the
          temperature and modelName count only where the server has a chat model; without one, it
          answers with quotes.
        </p>
        <Datastores
          chosen={shown.datastoreIds}
          onChange={(datastoreIds) => set({ datastoreIds })}
        />
      </Form>
      {isTried && (
        <button type="button" onClick={() => onTry({})}>
          Discard what was tried
        </button>
      )}
      <p class="quiet" role="status">
        {saved && !isTried && 'Saved.'}
      </p>
      {children}
    </details>
  )
}

const without = (tried: Tried, saved: Tried): Tried =>
  Object.fromEntries(
    Object.entries(tried).filter(([name, value]) => saved[name as keyof Tried] !== value),
  )

/** Enter in a field would send its form, and save for everybody what is only tried. */
function sendNothing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

type DatastoresProps = { chosen: string[]; onChange: (ids: string[]) => void }

/** Which datastores an agent answers from. */
function Datastores({ chosen, onChange }: DatastoresProps) {
  const client = useClient()
  const { value = [] } = useLoaded(
    (signal) => allOf(client.listDatastores({ limit: 100 }, { signal })),
    [],
  )
  return (
    <fieldset class="row">
      <legend>It answers from (once it is saved)</legend>
      {value.map(({ id, name }) => (
        <Tick
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onTick={(isTicked) =>
            onChange(isTicked ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        />
      ))}
    </fieldset>
  )
}
