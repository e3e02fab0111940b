import { useState } from 'preact/hooks'
import { ModelName } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { Select } from '../shared/choices.tsx'
import { Field, Form } from '../shared/form.tsx'
import { type Knowing, saveSettings, type Tried } from './agents.ts'

type Props = {
  knowing: Knowing
  tried: Tried
  onTry: (tried: Tried) => void
  onChange: () => void
}

/** What an agent answers by. A change counts for the next questions here, and for all once it is saved. */
export function AgentSettings({ knowing, tried, onTry, onChange }: Props) {
  const client = useClient()
  const { agent, knowledge } = knowing
  const [noAnswer, setNoAnswer] = useState(knowledge.noAnswer)
  const shown = { ...agent, ...knowledge, ...tried }
  const set = (change: Tried) => onTry({ ...tried, ...change })
  const save = async () => {
    await saveSettings(client, knowing, { ...tried, noAnswer })
    onTry({})
    onChange()
  }
  const number = (name: 'topK' | 'minScore' | 'temperature', min: number, max: number) => (
    <Field
      label={name}
      type="number"
      isShort
      {...{ min, max, step: max > 1 ? 1 : 0.01 }}
      value={shown[name] ?? ''}
      onValue={(value) => set({ [name]: value === '' ? undefined : Number(value) })}
    />
  )
  const text = (name: 'systemPrompt' | 'userPrompt', label: string) => (
    <Field label={label} rows={2} value={shown[name]} onValue={(value) => set({ [name]: value })} />
  )
  return (
    <details class="settings">
      <summary>Settings{Object.keys(tried).length > 0 && ' (tried, not saved)'}</summary>
      <Form class="stack" button="Save for everybody" onSend={save}>
        <div class="row">
          {number('topK', 1, 32)}
          {number('minScore', 0, 1)}
          {number('temperature', 0, 1)}
          <Select
            label="modelName"
            value={shown.modelName}
            onValue={(modelName) => set({ modelName: modelName as ModelName })}
            options={Object.values(ModelName).map((name) => [name, name])}
          />
        </div>
        {text('systemPrompt', 'System prompt')}
        {text('userPrompt', 'User prompt')}
        <Field
          label="What it says when it does not know (once it is saved)"
          required
          value={noAnswer}
          onValue={setNoAnswer}
        />
        <p class="quiet">The other changes count at once, for the questions that you ask here.</p>
      </Form>
    </details>
  )
}
