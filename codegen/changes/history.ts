import type { Kind } from './change.ts'
import { contractChanges } from './operations.ts'
import { type Accepted, acceptedChanges, currentContract, releasedContracts } from './released.ts'

/** The changes of a contract since the one before it, and why the breaking ones are accepted. */
export type Step = {
  version: string
  since: string
  changes: Record<Kind, string[]>
  reasons: Accepted[]
}

/** The changes of each contract, the newest first: the current one, then the released ones. */
export function contractHistory(): Step[] {
  const current = currentContract()
  const { version } = current.info as { version: string }
  const reasons = acceptedChanges().map(({ reason, changes }) => ({
    reason,
    changes: changes.map(toLine),
  }))
  const all = [...releasedContracts(), { version, contract: current }]
  const steps = all.slice(1).map((after, index) => {
    const before = all[index]!
    const changes = contractChanges(before.contract, after.contract)
    const textsOf = (kind: Kind) =>
      changes.filter((change) => change.kind === kind).map(({ text }) => toLine(text))
    return {
      version: after.version,
      since: before.version,
      changes: { breaks: textsOf('breaks'), warns: textsOf('warns'), adds: textsOf('adds') },
      reasons: after.contract === current ? reasons : [],
    }
  })
  return steps.toReversed()
}

const toLine = (text: string): string => text.replaceAll('#/components/', '')

/** The source of `changes.gen.ts`. */
export const changesSource = (): string =>
  [
    '// Generated from openapi.yaml and contracts/ by `npm run generate`. Do not edit.\n\n',
    "type Changes = Record<'breaks' | 'warns' | 'adds', string[]>\n",
    'type Reasons = { reason: string; changes: string[] }[]\n\n',
    '/** What each contract says otherwise than the one before, the newest first. */\n',
    'export const contractHistory: { version: string; since: string; changes: Changes; reasons: Reasons }[] = ',
    `${JSON.stringify(contractHistory(), null, 2)}\n`,
  ].join('')
