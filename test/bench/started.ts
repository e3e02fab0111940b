type Stop = () => Promise<void>

/**
 * What a bench has started, to be stopped in reverse when it is done, has failed or is interrupted.
 * On an interrupt the bench goes on to where it next needs one of these, and fails there.
 */
export class Started {
  readonly #stops: Stop[] = []
  #stopping: Promise<void> | undefined

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  /**
   * Takes how to stop what was just started.
   * @throws when everything is being stopped already, after stopping this too
   */
  async add(stop: Stop): Promise<void> {
    if (this.isStopping) {
      await stop()
      throw new Error('Interrupted.')
    }
    this.#stops.push(stop)
  }

  readonly stop = (): Promise<void> => (this.#stopping ??= this.#stopAll())

  async #stopAll(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop()
  }
}
