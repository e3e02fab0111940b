import * as fc from 'fast-check'
import type { Client } from '../../../generated/client/index.ts'
import { type Agent, type Key, Scope } from '../../../generated/types.gen.ts'
import type { Provider } from '../../support/provider.ts'
import { checkedClient, openServer, type TestServer } from '../../support/server.ts'
import type { Place } from './place.ts'
import { makeKey } from '../../support/things.ts'
import type { Shelf, Write } from './shelf.ts'

/** Which of the two workspaces asks. */
export type Who = 0 | 1

/** A thing somebody has, or had: its id is asked for also when it is gone. */
export type Owned = { id: string; who: Who; gone: boolean }

export type KnownAgent = Owned & { agent: Agent; rev: number }
export type KnownKey = Owned & { shown: Key; secret: string }

/** What the model knows of the service, and the service itself. */
export class World {
  readonly agents: KnownAgent[] = []
  readonly shelves: Shelf[] = []
  readonly keys: KnownKey[] = []
  /** The upserts that carried a key. */
  readonly repeatable: { asker: Who; shelf: Shelf; change: Write }[] = []
  readonly provider: Provider
  readonly #place: Place
  /** Counts what must be named as nothing before. */
  #names = 0
  #server: TestServer
  /** Whether the server runs with the provider, or with the built-in embedder. */
  hasProvider = false

  private constructor(provider: Provider, place: Place, server: TestServer) {
    this.provider = provider
    this.#place = place
    this.#server = server
  }

  /** An empty store with two workspaces. */
  static async open(provider: Provider, place: Place): Promise<World> {
    const world = new World(provider, place, await openServer({ dataUri: place.dataUri }))
    for (const who of [0, 1] as const) {
      const fields = { scopes: Object.values(Scope), workspace: `model-${who}` }
      const { key, ...shown } = await makeKey(world.#server.client, fields)
      world.keys.push({ id: shown.id, who, gone: false, shown, secret: key })
    }
    return world
  }

  /** The server closed and opened again on its directory, maybe with another embedder. */
  async restart(hasProvider: boolean): Promise<void> {
    await this.#server.close()
    this.hasProvider = hasProvider
    const settings = hasProvider ? { provider: this.provider.settings } : {}
    this.#server = await openServer({ dataUri: this.#place.dataUri, ...settings })
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.#place.clear()
  }

  get url(): string {
    return this.#server.url
  }

  client(who: Who): Client {
    return checkedClient(this.url, this.secretOf(who))
  }

  secretOf(who: Who): string {
    return this.keys[who]!.secret
  }

  newName(): string {
    return `new-${this.#names++}`
  }
}

/** Whose thing is asked for: mostly an own one, at times one that must not be found. */
export type Target = { of: 'own' | 'other' | 'gone' | 'nobody'; n: number }

export const whoever: fc.Arbitrary<Who> = fc.constantFrom(0, 0, 0, 1)

export const target: fc.Arbitrary<Target> = fc.record({
  of: fc.oneof(
    { weight: 17, arbitrary: fc.constant('own' as const) },
    { weight: 3, arbitrary: fc.constantFrom('other', 'gone', 'nobody') },
  ),
  n: fc.nat(99),
})

/** The id to ask for, and the thing if it is to be found. */
export function find<Thing extends Owned>(
  things: Thing[],
  who: Who,
  { of, n }: Target,
): { id: string; thing: Thing | undefined } {
  const fits = {
    own: (thing: Thing) => thing.who === who && !thing.gone,
    other: (thing: Thing) => thing.who !== who && !thing.gone,
    gone: (thing: Thing) => thing.gone,
    nobody: () => false,
  }[of]
  const candidates = things.filter(fits)
  const found = candidates[n % candidates.length]
  return { id: found?.id ?? "no'thing", thing: of === 'own' ? found : undefined }
}

export const ownOf = <Thing extends Owned>(things: Thing[], who: Who): Thing[] =>
  things.filter((thing) => thing.who === who && !thing.gone)

/** One thing that is done to the service and the model alike. */
export type Step = { run: (world: World) => Promise<void>; toString: () => string }

export const stepOf = <Args>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (world: World, args: Args) => Promise<void>,
): fc.Arbitrary<Step> =>
  args.map((chosen) => ({
    run: (world) => run(world, chosen),
    toString: () => `${name} ${JSON.stringify(chosen)}`,
  }))
