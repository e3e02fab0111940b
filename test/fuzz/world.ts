import { type Operation, operations } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import type { Caller, Callers } from './callers.ts'
import type { Case } from './wire.ts'

const mostDatastores = 4
const mostAgents = 10
const mostRecent = 50

/** What families draw from: who calls, which operations there are, and what was sent last. */
export class World {
  readonly callers: Callers
  readonly withJson = operations.filter(
    ({ requestBody }) => !requestBody || requestBody.content['application/json'],
  )
  readonly withBody = this.withJson.filter(({ requestBody }) => requestBody)
  recent: Case[] = []

  constructor(callers: Callers) {
    this.callers = callers
  }

  /** Any, except that nothing grows without bound: what there is enough of is deleted instead of made. */
  pickOperation({ workspace: { things } }: Caller, random: Random): Operation {
    const { operationId } = random.pick(this.withJson)
    const isMany = (kind: 'agent' | 'datastore', most: number) => things.all(kind).length > most
    if (operationId === 'createDatastore' && isMany('datastore', mostDatastores))
      return this.#named('deleteDatastore')
    if (operationId === 'createAgent' && isMany('agent', mostAgents))
      return this.#named('deleteAgent')
    // Otherwise they would be gone before much is done with them.
    if (operationId === 'deleteDatastore' && !isMany('datastore', 2))
      return this.#named('createDatastore')
    if (operationId === 'deleteAgent' && !isMany('agent', 2)) return this.#named('createAgent')
    return this.#named(operationId)
  }

  remember(one: Case): void {
    if (one.expected === 'valid') this.recent = [...this.recent, one].slice(-mostRecent)
  }

  #named(operationId: string): Operation {
    return operations.find((operation) => operation.operationId === operationId)!
  }
}
