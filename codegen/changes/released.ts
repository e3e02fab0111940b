import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Node } from './resolve.ts'

const root = join(import.meta.dirname, '../..')

/** The contracts that were released, oldest first, by their versions. */
export function releasedContracts(): { version: string; contract: Node }[] {
  const versions = globSync('*.yaml', { cwd: join(root, 'contracts') })
    .map((name) => name.replace('.yaml', ''))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return versions.map((version) => ({ version, contract: read(`contracts/${version}.yaml`) }))
}

/** Changes that may break callers, and why they are accepted. */
export type Accepted = { reason: string; changes: string[] }

export const acceptedChanges = (): Accepted[] =>
  parse(readFileSync(join(root, 'test/contract/accepted-changes.yaml'), 'utf8'))

/** The contract that is being worked on. */
export const currentContract = (): Node => read('openapi.yaml')

const read = (name: string): Node => parse(readFileSync(join(root, name), 'utf8'))
