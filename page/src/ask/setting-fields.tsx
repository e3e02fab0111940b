import { ModelName } from '../../../client/src/index.ts'
import { Select } from '../shared/choices.tsx'
import { Field } from '../shared/form.tsx'
import type { Tried } from './agents.ts'

type Props = { shown: Tried; onChange: (change: Tried) => void }

/** What an agent is called, finds, and says. */
export function SettingFields({ shown, onChange }: Props) {
  const number = (name: 'topK' | 'minScore' | 'temperature', max: number) => (
    <Field
      label={name}
      type="number"
      isShort
      {...{ max, ...(name === 'topK' ? { min: 1, step: 1 } : { min: 0, step: 0.01 }) }}
      value={shown[name] ?? ''}
      onValue={(value) => onChange({ [name]: value === '' ? undefined : Number(value) })}
    />
  )
  const text = (
    name: 'name' | 'systemPrompt' | 'userPrompt' | 'noAnswer',
    label: string,
    more: object,
  ) => (
    <Field
      label={label}
      {...more}
      value={shown[name]}
      onValue={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <>
      {text('name', 'Name', { required: true })}
      <div class="row">
        {number('topK', 32)}
        {number('minScore', 1)}
        {number('temperature', 1)}
        <Select
          label="modelName"
          value={shown.modelName ?? ''}
          onValue={(modelName) => onChange({ modelName: modelName as ModelName })}
          options={Object.values(ModelName).map((name) => [name, name])}
        />
      </div>
      {text('systemPrompt', 'System prompt', { rows: 2 })}
      {text('userPrompt', 'User prompt', { rows: 2 })}
      {text('noAnswer', 'What it says when it does not know', { required: true })}
    </>
  )
}
