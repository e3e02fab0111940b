import { AgentsDatastores } from '../../client/src/index.ts'

/** A client that waits for nothing, and says how long it would have waited. */
export class HastyClient extends AgentsDatastores {
  readonly pauses: number[] = []

  protected override pause(milliseconds: number): Promise<void> {
    this.pauses.push(milliseconds)
    return Promise.resolve()
  }
}
