/**
 * What is known of one thing: a single state once a change was acknowledged, and one more for a
 * change that was sent and not answered. `undefined` is not there.
 */
export class Fact<T> {
  #possible: (T | undefined)[]

  constructor(known?: T) {
    this.#possible = [known]
  }

  /** The last state that was acknowledged or found. */
  get known(): T | undefined {
    return this.#possible[0]
  }

  get isOpen(): boolean {
    return this.#possible.length > 1
  }

  /** Sends a change; where no answer comes, both states are possible from then on. */
  async change(next: T | undefined, send: () => Promise<void>): Promise<void> {
    this.#possible.push(next)
    await send()
    this.#possible = [next]
  }

  /** What was found, which it is from now on; false when it cannot be. */
  find(found: T | undefined): boolean {
    const isPossible = this.#possible.includes(found)
    this.#possible = [found]
    return isPossible
  }
}

/** What is wrong with finding this of a fact, which it is from now on. */
export function find<T>(fact: Fact<T>, found: T | undefined): string | undefined {
  const { known } = fact
  if (fact.find(found)) return undefined
  return found === undefined ? `lost ${known}` : `is ${found}, not ${known}`
}

type Note = {
  /** Which nothing else is called, so that also what was never answered is recognised. */
  name: string
  /** The client that alone changes it. */
  owner: number
  /** Where it was answered. */
  id?: string
}

export type AgentNote = Note & { description: Fact<string> }
export type KeyNote = Note & { state: Fact<'valid' | 'revoked'>; secret?: string }
export type DatastoreNote = Note & { isThere: Fact<true> }
export type DocumentNote = { id?: string; version: Fact<number> }
export type UpsertNote = Note & {
  datastore: DatastoreNote
  key: string | undefined
  isStored: Fact<true>
  documents: DocumentNote[]
}

/** What a server was told and what it acknowledged, kept outside of it. */
export class Notebook {
  agents: AgentNote[] = []
  keys: KeyNote[] = []
  datastores: DatastoreNote[] = []
  upserts: UpsertNote[] = []
  #names = 0

  newName(): string {
    return `n${++this.#names}`
  }

  upsertsOf(owner: number): UpsertNote[] {
    return this.upserts.filter((note) => note.owner === owner && note.isStored.known)
  }

  forget(upsert: UpsertNote): void {
    this.upserts = this.upserts.filter((note) => note !== upsert)
  }

  forgetDatastore(datastore: DatastoreNote): void {
    this.datastores = this.datastores.filter((note) => note !== datastore)
    this.upserts = this.upserts.filter((note) => note.datastore !== datastore)
  }
}

/** The text of a document at a version: every sentence says which, so that a mix shows. */
export function textOf(upsert: string, index: number, version: number): string {
  const title = `${upsert}/${index} version ${version}.`
  const sentences = (Number(upsert.slice(1)) + index * 3 + version * 5) % 60
  return [
    title,
    ...Array.from({ length: sentences }, (_, n) => `Sentence ${n} of ${title} ${filler}`),
  ].join(' ')
}

const filler = 'A library keeps what it was given, through the night and through the storm.'

/** Which document and version a text is of; undefined where it is none of them whole. */
export function readText(text: string): { place: string; version: number } | undefined {
  const [, upsert = '', index, version] = /^(n\d+)\/(\d+) version (\d+)\./.exec(text) ?? []
  const isWhole = text === textOf(upsert, Number(index), Number(version))
  return isWhole ? { place: `${upsert}/${index}`, version: Number(version) } : undefined
}
