import { ServiceError, StorageFull, Unavailable } from '../../errors/errors.ts'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'

/** Turns LanceDB's failures into ours, without paths and values. They differ only by their text. */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw fault(cause)
  }
}

/** Whether LanceDB finds a file missing, cut short or full of zeros. It panics at some that are cut. */
export const isTorn = (cause: unknown): boolean =>
  [
    /not found|no such file/i,
    /invalid range|too small|sufficient data|fill whole buffer|invalid seek|unexpected end/i,
    /footer|magic|decode protobuf|no field named id|panic in async function/i,
  ].some((said) => said.test(messageOf(cause)))

/** Of a commit that LanceDB gave up, undone, because others always came first: each of its tries lasts half a minute. */
const triesIfCrowdedOut = 3
/** Each time another server's write is done, so tries are quick and none is in vain. */
const triesIfOvertaken = 20

/** How often a commit may be tried that fails so. */
export function triesFor(cause: unknown): number {
  if (cause instanceof Overtaken) return triesIfOvertaken
  return /too many concurrent writers/i.test(messageOf(cause)) ? triesIfCrowdedOut : 1
}

/** Another server changed what a commit is about, and the commit was not done, or not all of its deletes. */
export class Overtaken extends Unavailable {
  constructor() {
    super('Other servers keep changing the same documents. Send this again.')
  }
}

function fault(cause: unknown): Error {
  if (cause instanceof ServiceError) return cause
  const message = messageOf(cause)
  const known = knownFaults.find(([part]) => part.test(message))
  if (known) return known[1](cause)
  const said = `The store failed: ${plainWords(message)}`
  return givenUp.test(message) ? new StoreUnreachable(said) : new Error(said)
}

/** LanceDB tries again only where that may help. */
const givenUp = /after [1-9]\d* retries, max_retries/i

const readOnly = 'The store is on a file system that is read-only now: nothing can be stored.'
const forbidden = 'The server has no permission to use its store.'

const knownFaults: [RegExp, (cause: unknown) => ServiceError][] = [
  // No other SQL than that of `insist` divides.
  [/divide by zero/i, () => new Overtaken()],
  [/no space left|os error 28|disk quota|os error 122/i, () => new StorageFull()],
  [/read-only file system|os error 30\b/i, (cause) => new Unavailable(readOnly, { cause })],
  [/permission denied|os error 13\b/i, (cause) => new Unavailable(forbidden, { cause })],
]

/** Why an object store cannot be opened, and what to do, without addresses and secrets. */
export function whyUnreachable(cause: unknown): string {
  // So it begins whatever the reason is.
  const said = messageOf(cause).replace(/failed to connect to namespace/i, '')
  return unreachableReasons.find(([part]) => part.test(said))?.[1] ?? plainWords(said)
}

/** The first match counts: an unreachable store also lacks a token. */
const unreachableReasons: [RegExp, string][] = [
  [/no azure account|account name/i, 'AZURE_STORAGE_ACCOUNT_NAME and its key are not set'],
  [/invalid access key:/i, 'AZURE_STORAGE_ACCOUNT_KEY is no base64, as the keys of accounts are'],
  [
    /badscheme/i,
    'its endpoint is an http:// address, which needs AZURE_STORAGE_ALLOW_HTTP=true or AWS_ALLOW_HTTP=true',
  ],
  [
    /no such bucket|nosuchbucket|containernotfound|bucket.*does not exist/i,
    'its container or bucket does not exist: make it first',
  ],
  [
    /signature|invalidaccesskey|authenticationfailed|access ?denied/i,
    'its credentials are refused: check the account and the key',
  ],
  [
    /credential|token|imds|metadata|service.account|base64|decode.*key/i,
    'no valid credentials are set: docs/growing.md has the variables',
  ],
  [
    /forbidden|unauthorized|status: 40[13]/i,
    'access to it is refused: its credentials must allow to read, write, list and delete',
  ],
  [/status: 404/i, 'its endpoint has nothing there: check the address'],
  [
    /region|sending request|connect|dns|timed? ?out|unreachable/i,
    'it cannot be reached (is its region or endpoint set?)',
  ],
]

export const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause)

const plainWords = (message: string): string =>
  message
    .replaceAll(/'[^']*'|"[^"]*"/g, '…')
    .replaceAll(/\S*\/.*\/\S*|\S*\/\S*/g, '…')
    .slice(0, 300)
