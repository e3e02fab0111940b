import type { Agent, Datastore } from '../../../client/src/index.ts'
import { Select } from '../shared/choices.tsx'
import { useClient } from '../shared/client.ts'
import { Failure } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { Needs } from '../shared/scopes.tsx'
import { ConfirmButton } from '../shared/confirm-button.tsx'
import { useAction } from '../shared/hooks.ts'
import { AgentSettings } from './agent-settings.tsx'
import { type AgentWithKnowledge, makeAgent, saveSettings, type Tried } from './agents.ts'

type Props = {
  agents: AgentWithKnowledge[]
  knowing: AgentWithKnowledge | undefined
  datastore: Datastore
  tried: Tried
  onChoose: (id?: string) => void
  onTry: (tried: Tried) => void
  onChange: () => void
}

/** Chooses who answers, and makes and deletes agents. */
export function AgentChoice({ agents, knowing, datastore, onChoose, onChange, ...rest }: Props) {
  const client = useClient()
  const { error, run } = useAction()
  const make = async () => {
    onChoose(await makeAgent(client, datastore))
    onChange()
  }
  const remove = async (id: string) => {
    await client.deleteAgent(id).finally(onChange)
    onChoose()
  }
  const options = agents.map(({ agent }) => [agent.id, agent.name] as [string, string])
  if (!knowing) return <NoAgent others={options} onChoose={onChoose} onMake={make} />
  const { id, name } = knowing.agent
  return (
    <div class="choice">
      <Select label="Agent" value={id} onValue={onChoose} options={options} />
      <AgentSettings key={id} knowing={knowing} onChange={onChange} {...rest}>
        <Needs scope="agents:write">
          <div class="row">
            <button type="button" onClick={() => void run(make)}>
              Make another agent
            </button>
            <ConfirmButton
              label="Delete this agent"
              name={name}
              onConfirm={() => void run(() => remove(id))}
            />
          </div>
        </Needs>
        <Failure error={error} />
      </AgentSettings>
      {knowing.knowledge.datastoreIds.length === 0 && (
        <NoDatastore {...{ agent: knowing.agent, datastore, onChange }} />
      )}
    </div>
  )
}

type NoAgentProps = {
  /** Those that answer from no datastore. */
  others: [id: string, name: string][]
  onChoose: (id: string) => void
  onMake: () => Promise<void>
}

function NoAgent({ others, onChoose, onMake }: NoAgentProps) {
  return (
    <>
      <p>An agent answers questions from datastores. None answers from this one yet.</p>
      {others.length > 0 && (
        <div class="choice">
          <Select label="Agent" value="" onValue={onChoose} options={[['', 'none'], ...others]} />
        </div>
      )}
      <Needs scope="agents:write">
        <Form class="stack" button="Make an agent" onSend={onMake} />
      </Needs>
    </>
  )
}

type NoDatastoreProps = { agent: Agent } & Pick<Props, 'datastore' | 'onChange'>

function NoDatastore({ agent, datastore, onChange }: NoDatastoreProps) {
  const client = useClient()
  const learn = async () => {
    await saveSettings(client, agent, { datastoreIds: [datastore.id] })
    onChange()
  }
  return (
    <div>
      <p>This agent answers from no datastore.</p>
      <Needs scope="agents:write">
        <Form class="stack" button="Let it answer from this one" onSend={learn} />
      </Needs>
    </div>
  )
}
