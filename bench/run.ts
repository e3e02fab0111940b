import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { root } from '../test/support/contract.ts'

/** A checkout of the service to measure, and what its figures are named by. */
export type Version = { name: string; checkout: string }

/**
 * The versions to measure, this one last, and what the command line says for the options that have
 * these defaults. A bench that needs a folder takes it as the option `folder`, without its name.
 */
export function argumentsOf<Defaults extends Record<string, string | number>>(defaults: Defaults) {
  const names = Object.keys({ ...defaults, service: '' })
  const { values, positionals } = parseArgs({
    allowPositionals: 'folder' in defaults,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
  })
  const given = Object.entries(defaults).map(([name, value]) => {
    const text = name === 'folder' ? positionals[0] : values[name]
    return [name, typeof value === 'number' ? Number(text ?? value) : (text ?? value)]
  })
  const wrong = given.find(([, value]) => value === 0 || Number.isNaN(value))
  const isMissing = 'folder' in defaults && positionals.length !== 1
  if (wrong || isMissing) throw new Error(`${wrong?.[0] ?? 'DIR'}: see bench/README.md`)
  const versions: Version[] = [{ name: 'service', checkout: root }]
  const { service } = values
  if (service) versions.unshift({ name: basename(resolve(service)), checkout: resolve(service) })
  return { versions, ...(Object.fromEntries(given) as Defaults) }
}

/**
 * Runs a bench with a directory of its own, and leaves neither that nor what it started behind: not
 * when it fails, and not when it is interrupted or nobody reads its output any more.
 */
export async function runBench(
  bench: (data: string, started: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  await using started = new AsyncDisposableStack()
  const data = await mkdtemp(join(tmpdir(), 'agents-datastores-bench-'))
  started.defer(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const stop = (reason: unknown) => {
    process.stderr.write(`${inspect(reason)}\n`)
    void started.disposeAsync().finally(() => process.exit(1))
  }
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'])
    process.once(event, stop)
  await bench(data, started)
}
