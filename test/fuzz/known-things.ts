import type { Random } from '../support/random.ts'

export type Kind = 'agent' | 'datastore' | 'conversation' | 'key' | 'datasource' | 'document'

/** `parent` is the datastore or agent that it is in, `twin` the key of a datasource, or what has that key. */
export type Thing = { id: string; parent?: string; twin?: string }

const mostLive = 60
const mostGone = 300

/** What a workspace has, as far as its answers told: bounded, so that a run may be as long as it likes. */
export class KnownThings {
  readonly #live = new Map<Kind, Thing[]>()
  readonly #lost = new Map<Kind, Thing[]>()
  #gone: { id: string; at: number }[] = []
  /** What a deletion that nobody has answered yet may take away. */
  #leaving: string[] = []
  #clock = 0

  /** How many deletions there were; what `add` is given as `since`. */
  get clock(): number {
    return this.#clock
  }

  /** Unless it, or what it is in, was deleted since, or is about to be. */
  add(kind: Kind, thing: Thing, since: number): void {
    if (this.#isUnsure(thing, since) || this.has(kind, thing)) return
    this.#live.set(kind, [...this.all(kind), thing].slice(-mostLive))
  }

  /** Whether it has been there all the time since. */
  stayed(kind: Kind, thing: Thing, since: number): boolean {
    return this.has(kind, thing) && !this.#isUnsure(thing, since)
  }

  /** Whether nothing was deleted since, or is about to be. */
  isCalm(since: number): boolean {
    return this.#leaving.length === 0 && this.#clock === since
  }

  /** When a deletion is sent nobody can tell any more; `settle` says that it was answered. */
  leave(id: string): void {
    this.#leaving.push(id)
  }

  settle(id: string): void {
    const at = this.#leaving.indexOf(id)
    if (at >= 0) this.#leaving.splice(at, 1)
  }

  /** A path may name a thing without what it is in, as that of a conversation does. */
  remove(kind: Kind, { id, parent }: Thing): void {
    this.#lose(kind, (thing) => thing.id === id && (!parent || thing.parent === parent))
    for (const other of ['datasource', 'document'] as const) {
      this.#lose(other, (thing) => thing.twin === id && thing.parent === parent)
    }
    this.removeWithin(id)
  }

  removeWithin(parent: string): void {
    for (const kind of this.#live.keys()) this.#lose(kind, (thing) => thing.parent === parent)
    this.#gone = [...this.#gone, { id: parent, at: ++this.#clock }].slice(-mostGone)
  }

  all(kind: Kind): Thing[] {
    return this.#live.get(kind) ?? []
  }

  has(kind: Kind, thing: Thing): boolean {
    return this.find(kind, thing) !== undefined
  }

  /** With its twin, which a path does not name. */
  find(kind: Kind, { id, parent }: Thing): Thing | undefined {
    return this.all(kind).find((thing) => thing.id === id && thing.parent === parent)
  }

  pick(kind: Kind, random: Random, parent?: string): Thing | undefined {
    const some = this.all(kind).filter((thing) => parent === undefined || thing.parent === parent)
    return random.pick(some)
  }

  /** Notes that its deletion was answered with it. */
  bury(kind: Kind, thing: Thing): void {
    this.#lost.set(kind, [...(this.#lost.get(kind) ?? []), thing].slice(-mostLive))
  }

  /** One that was deleted. */
  pickLost(kind: Kind, random: Random): Thing | undefined {
    return random.pick(this.#lost.get(kind) ?? [])
  }

  #isUnsure({ id, parent, twin }: Thing, since: number): boolean {
    const ids = new Set([id, parent, twin])
    return (
      this.#leaving.some((one) => ids.has(one)) ||
      this.#gone.some((gone) => gone.at > since && ids.has(gone.id))
    )
  }

  #lose(kind: Kind, isIt: (thing: Thing) => boolean): void {
    const kept = this.all(kind).filter((thing) => !isIt(thing))
    this.#live.set(kind, kept)
  }
}
