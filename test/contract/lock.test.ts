import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/contract.ts'

type Package = {
  version: string
  integrity?: string
  resolved?: string
  dev?: boolean
  link?: boolean
}

const read = async (name: string) => JSON.parse(await readFile(join(root, name), 'utf8'))
const lock: { packages: Record<string, Package> } = await read('package-lock.json')
const packages = Object.entries(lock.packages).filter(
  ([name, { link }]) => name.startsWith('node_modules/') && !link,
)

/** Where the lock was made, these could not be had; elsewhere they are what runs the store. */
const notToBeHad = new Set(
  ['darwin-arm64', 'linux-arm64-gnu', 'linux-arm64-musl', 'win32-arm64-msvc', 'win32-x64-msvc'].map(
    (platform) => `node_modules/@lancedb/lancedb-${platform}`,
  ),
)

test('every package of the lock has its integrity: else take it out and npm install --package-lock-only', () => {
  const without = packages.filter(([, { integrity }]) => !integrity).map(([name]) => name)
  expect(without.filter((name) => !notToBeHad.has(name))).toEqual([])
})

test('no package of the lock names the registry it came from', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('the Node that npm start runs comes without the development packages, too', async () => {
  const { dependencies, engines } = await read('package.json')
  expect(dependencies.node).toMatch(/^24\.\d+\.\d+$/)
  expect(lock.packages['node_modules/node']).toMatchObject({ version: dependencies.node })
  expect(lock.packages['node_modules/node']?.dev).toBeUndefined()
  expect(engines.node).toBe('>=20')
})

const olderNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => majorOf(path) < 24)
if (!olderNode) console.warn('No older Node is installed here: what it says is not tested.')

test.skipIf(!olderNode)('an older Node says in one line which is needed', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const script of [scripts.start, scripts.cli]) {
    const command = String(script).replace('exec node', `exec ${olderNode}`)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root })
    expect([status, String(stdout)]).toEqual([1, ''])
    expect(String(stderr)).toMatch(/^Node\.js 24 or later is needed, and this is [\d.]+\..*\n$/)
  }
})

function majorOf(path: string): number {
  const { stdout } = spawnSync(path, ['--version'])
  return Number(/^v(\d+)/.exec(String(stdout ?? ''))?.[1] ?? Infinity)
}
