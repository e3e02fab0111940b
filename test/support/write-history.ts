import type { Client } from '../../generated/client/index.ts'
import type { Random } from './random.ts'

/**
 * The possible states of one thing: one after an acknowledged change, and one more for each change that was sent
 * and not answered. `undefined` is a missing thing.
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

  /** Takes what was found as the state from now on. @returns whether it was possible */
  find(found: T | undefined): boolean {
    const isPossible = this.#possible.includes(found)
    this.#possible = [found]
    return isPossible
  }
}

/** As `Fact.find`. @returns what is wrong if the state was not possible */
export function find<T>(fact: Fact<T>, found: T | undefined): string | undefined {
  const { known } = fact
  if (fact.find(found)) return undefined
  return found === undefined ? `lost ${known}` : `is ${found}, not ${known}`
}

type Note = {
  /** Unique, so that a thing is recognised even if its creation was not answered. */
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

/** A client that writes. Only it changes what it made, which `owner`, its number, tells. */
export type Writer = { client: Client; history: WriteHistory; random: Random; owner: number }

/** What was sent to a server, and what it acknowledged. */
export class WriteHistory {
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

/** The document and version of a text; undefined if it is not one of them, whole. */
export function readText(text: string): { place: string; version: number } | undefined {
  const [, upsert = '', index, version] = /^(n\d+)\/(\d+) version (\d+)\./.exec(text) ?? []
  const isWhole = text === textOf(upsert, Number(index), Number(version))
  return isWhole ? { place: `${upsert}/${index}`, version: Number(version) } : undefined
}
