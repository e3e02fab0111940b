/** A model that refuses one of these answers well without it. */
const optional = new Set(['temperature', 'stream_options'])

/** The parameters that models refused, and are not sent again. */
export class RefusedParameters {
  readonly #byModel = new Map<string, Set<string>>()

  of(model: string): string[] {
    return [...(this.#byModel.get(model) ?? [])]
  }

  /** Notes a refusal, and tells whether the call may be made again without what was refused. */
  note(sent: { model: string }, parameter: string | undefined): boolean {
    // Some name the member of it that is wrong.
    const name = parameter?.split('.', 1)[0] ?? ''
    if (!optional.has(name) || !(name in sent)) return false
    this.#byModel.set(sent.model, new Set(this.of(sent.model)).add(name))
    return true
  }

  leaveOut<Body extends { model: string }>(body: Body): Body {
    const refused = this.of(body.model)
    return Object.fromEntries(
      Object.entries(body).filter(([name]) => !refused.includes(name)),
    ) as Body
  }
}
