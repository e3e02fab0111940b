import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Records } from '../store/records.ts'

const allScopes = ['agents:read', 'agents:write', 'datastores:read', 'datastores:write'] as const
export type Scope = (typeof allScopes)[number]

/** Who is asking: what a valid key says about its holder. */
export type Caller = { keyId: string; workspace: string; scopes: Scope[] }

/** What is kept of a key; the key itself is not. */
export type StoredKey = { hash: string; scopes: Scope[] }

const firstWorkspace = 'default'
/** Servers that start together all try to make the key of this id, and the store takes one. */
const firstKeyId = 'initial'
const madeKey = /^ads_(?<id>[a-z0-9]+)_(?<secret>[0-9a-f]{40})(?<checksum>[0-9a-f]{8})$/

/** Makes and verifies keys: `ads_<public id>_<160 random bits and a checksum>`, or the `INITIAL_KEY`. */
export class Keys {
  readonly #records: Records<StoredKey>

  constructor(records: Records<StoredKey>) {
    this.#records = records
  }

  /**
   * Makes sure there is a key: where there is none, `initialKey` or a made one gets every scope.
   * @returns the key that was made, which nobody can ask for again
   */
  async ensureFirst(initialKey: string | undefined): Promise<string | undefined> {
    if (!(await this.#records.isEmpty())) return undefined
    const key = initialKey ?? makeKey(firstKeyId)
    const stored = { hash: digest(key).toString('hex'), scopes: [...allScopes] }
    const made = await this.#records.insert(idOf(key) ?? firstKeyId, firstWorkspace, stored)
    return made && initialKey === undefined ? key : undefined
  }

  /** The caller a key stands for, or undefined when it is not valid. */
  async verify(key: string): Promise<Caller | undefined> {
    const id = idOf(key)
    const stored = id === undefined ? undefined : await this.#records.recall(id)
    if (!stored || !timingSafeEqual(digest(key), Buffer.from(stored.value.hash, 'hex'))) {
      return undefined
    }
    return { keyId: stored.id, workspace: stored.workspace, scopes: stored.value.scopes }
  }
}

function makeKey(id: string): string {
  const secret = randomBytes(20).toString('hex')
  return `ads_${id}_${secret}${checksum(id, secret)}`
}

/** The id in a made key, undefined when it is mistyped; any other key can only be the first. */
function idOf(key: string): string | undefined {
  const parts = madeKey.exec(key)?.groups
  if (!parts) return firstKeyId
  const { id = '', secret = '' } = parts
  return parts.checksum === checksum(id, secret) ? id : undefined
}

const checksum = (id: string, secret: string): string =>
  crc32(`${id}_${secret}`).toString(16).padStart(8, '0')

const digest = (key: string): Buffer => createHash('sha256').update(key).digest()
