import type { Datastore } from '../../../client/src/index.ts'
import { useClient } from '../shared/client.ts'
import { Select } from '../shared/choices.tsx'
import { Form } from '../shared/form.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { type Knowing, makeAgent, type Tried } from './agents.ts'

type Props = {
  agents: Knowing[]
  knowing: Knowing | undefined
  datastore: Datastore
  tried: Tried
  onChoose: (id: string) => void
  onTry: (tried: Tried) => void
  onChange: () => void
}

/** Chooses who answers; where nobody does, makes an agent. */
export function AgentChoice({ agents, knowing, datastore, onChoose, onChange, ...rest }: Props) {
  const client = useClient()
  if (!knowing) {
    return (
      <Form
        class="stack"
        button="Make an agent"
        onSend={() => makeAgent(client, datastore).then(onChange)}
      >
        <p>An agent answers questions from datastores. None answers from this one yet.</p>
      </Form>
    )
  }
  return (
    <div class="choice">
      <Select
        label="Agent"
        value={knowing.agent.id}
        onValue={onChoose}
        options={agents.map(({ agent }) => [agent.id, agent.name])}
      />
      <AgentSettings key={knowing.agent.id} knowing={knowing} onChange={onChange} {...rest} />
    </div>
  )
}
