import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import { InsufficientScope, InvalidRequest, StartupError } from '../errors/errors.ts'
import { orNotFound } from './ids.ts'
import { isInstant, type Records } from '../store/store.ts'
import type { PageCursor, Stored } from '../store/types.ts'
import { type Page, readPage } from './list-page.ts'

export type Caller = { keyId: string; workspace: string; scopes: Scope[] }

export type KeyFields = {
  name: string
  hash: string
  scopes: Scope[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}
export type StoredKey = Stored<KeyFields>

export const isValidKey = ({ name, hash, scopes, ...times }: KeyFields): boolean =>
  typeof name === 'string' &&
  /^[0-9a-f]{64}$/.test(hash) &&
  scopes.every((scope) => allScopes.includes(scope)) &&
  [times.expiresAt, times.lastUsedAt, times.revokedAt].every(
    (time) => time === null || isInstant(time),
  )

export const textOfKey = ({ hash }: KeyFields): string => hash

/** Its admins reach the keys of all workspaces. */
const mainWorkspace = 'default'
const allScopes = Object.values(Scope)
const minNoteIntervalMilliseconds = 10 * 60 * 1000

/** The command line on a store without a server may do everything. */
const operator: Caller = { keyId: 'operator', workspace: mainWorkspace, scopes: allScopes }

export class Keys {
  readonly #records: Records<KeyFields>
  readonly #operatorHash: string | undefined
  readonly #noting = new Set<string>()

  constructor(records: Records<KeyFields>, operatorKey?: string) {
    this.#records = records
    this.#operatorHash = operatorKey && hashOf(operatorKey)
  }

  /** Without any key, stores `initialKey`, or makes one and returns it. @throws StartupError if it is mistyped */
  async ensureFirst(initialKey: string | undefined): Promise<string | undefined> {
    if (initialKey !== undefined && keyIdOf(initialKey) === undefined) {
      throw new StartupError('INITIAL_KEY has the form of a made key, and its checksum is wrong.')
    }
    if (!(await this.#records.isEmpty())) return undefined
    const key = initialKey ?? makeKey(firstKeyId)
    const fields = newFields('first key', allScopes, null, key)
    const made = await this.#records.insert(keyIdOf(key) ?? firstKeyId, mainWorkspace, fields)
    return made && initialKey === undefined ? key : undefined
  }

  async verify(key: string): Promise<Caller | undefined> {
    if (this.#operatorHash && isKeyOf(this.#operatorHash, key)) return operator
    const stored = await this.#validOf(key)
    if (!stored) return undefined
    this.#noteUse(stored)
    return { keyId: stored.id, workspace: stored.workspace, scopes: scopesOf(stored) }
  }

  /** Checks a key without counting as a use of it. */
  async isValid(key: string): Promise<boolean> {
    return (await this.#validOf(key)) !== undefined
  }

  async #validOf(key: string): Promise<StoredKey | undefined> {
    const id = keyIdOf(key)
    if (id === undefined) return undefined
    // No record matches a forged key, even if its id is in use, so the time of a look-up reveals nothing.
    const stored = await this.#records.recallHolding(id, hashOf(key))
    if (!stored || !isKeyOf(stored.value.hash, key) || !isValid(stored.value)) return undefined
    return stored
  }

  /** @throws InsufficientScope if the caller may not give these scopes, InvalidRequest if it has expired */
  async create(
    caller: Caller,
    { name, scopes, workspace = caller.workspace, expiresAt }: CreateKey,
    deadline: Deadline,
  ): Promise<{ stored: StoredKey; key: string }> {
    const lacking = scopes.filter((scope) => !caller.scopes.includes(scope))
    if (lacking.length > 0) {
      const detail = `A key gives only scopes that it has; this one lacks ${lacking.join(', ')}.`
      throw new InsufficientScope(lacking, detail)
    }
    if (![undefined, workspace].includes(reachOf(caller))) {
      throw new InsufficientScope([], 'Keys for other workspaces are made with a key of default.')
    }
    const expiry = expiresAt === undefined ? null : futureInstant(expiresAt)
    const id = randomBytes(8).toString('hex')
    const key = makeKey(id)
    const fields = newFields(name, scopes, expiry, key)
    const stored = await this.#records.insert(id, workspace, fields, deadline)
    if (!stored) throw new Error('An id was made twice.')
    return { stored, key }
  }

  list(caller: Caller, limit: number, position?: PageCursor): Promise<Page<StoredKey>> {
    return readPage(limit, (rows) => this.#records.list(reachOf(caller), rows, position))
  }

  /** @throws NotFound if the caller does not reach it */
  async get(caller: Caller, id: string): Promise<StoredKey> {
    return orNotFound(await this.#records.get(id, reachOf(caller)), 'key', id)
  }

  /** Revokes a key unless it is revoked already. @throws NotFound if the caller does not reach it */
  async revoke(caller: Caller, id: string, deadline: Deadline): Promise<StoredKey> {
    for (;;) {
      const stored = await this.get(caller, id)
      if (stored.value.revokedAt !== null) {
        // The other revocation may still be waiting for the disk.
        await this.#records.durable()
        return stored
      }
      const fields = { ...stored.value, revokedAt: new Date().toISOString() }
      const revoked = await this.#records.replace(stored, fields, { deadline, isSmall: true })
      if (revoked) return revoked
    }
  }

  #noteUse(stored: StoredKey): void {
    const { id, value } = stored
    const last = value.lastUsedAt === null ? 0 : Date.parse(value.lastUsedAt)
    if (Date.now() - last < minNoteIntervalMilliseconds || this.#noting.has(id)) return
    this.#noting.add(id)
    const fields = { ...value, lastUsedAt: new Date().toISOString() }
    // Nobody waits for it. The next use repairs a failure.
    this.#records
      .replace(stored, fields)
      .catch(() => undefined)
      .finally(() => this.#noting.delete(id))
  }
}

/** The first key has every scope, even scopes that are newer than it. */
const scopesOf = ({ id, value }: StoredKey): Scope[] =>
  id === firstKeyId ? allScopes : value.scopes

const newFields = (
  name: string,
  scopes: Scope[],
  expiresAt: string | null,
  key: string,
): KeyFields => ({ name, hash: hashOf(key), scopes, expiresAt, lastUsedAt: null, revokedAt: null })

const isValid = ({ expiresAt, revokedAt }: KeyFields): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())

const reachOf = ({ workspace }: Caller): string | undefined =>
  workspace === mainWorkspace ? undefined : workspace

/** RFC 3339 has years of four digits. */
const yearTenThousand = new Date(Date.UTC(10_000, 0))

function futureInstant(text: string): string {
  const instant = new Date(text)
  if (!(instant.getTime() > Date.now() && instant < yearTenThousand)) {
    const detail = 'must be a time to come, before the year 10000'
    throw new InvalidRequest([{ pointer: '/expiresAt', detail }])
  }
  return instant.toISOString()
}

const madeKey = /^ads_(?<id>[a-z0-9]+)_(?<secret>[0-9a-f]{40})(?<checksum>[0-9a-f]{8})$/

/** `ads_<public id>_<160 random bits><checksum>` */
function makeKey(id: string): string {
  const secret = randomBytes(20).toString('hex')
  return `ads_${id}_${secret}${checksum(id, secret)}`
}

/** Servers that start together insert keys of this id. The store takes one. */
const firstKeyId = 'initial'

/** Undefined for a mistyped key. A key of another form can only be INITIAL_KEY. */
function keyIdOf(key: string): string | undefined {
  const parts = madeKey.exec(key)?.groups
  if (!parts) return firstKeyId
  const { id = '', secret = '' } = parts
  return parts.checksum === checksum(id, secret) ? id : undefined
}

const hashOf = (key: string): string => digestOf('sha256', key)

const isKeyOf = (stored: string, key: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(key)), Buffer.from(stored))

const checksum = (id: string, secret: string): string =>
  crc32(`${id}_${secret}`).toString(16).padStart(8, '0')
