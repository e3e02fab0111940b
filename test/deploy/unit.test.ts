import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { root } from '../support/contract.ts'
import { hasTool } from '../support/operator-tools.ts'
import { temporaryDirectory, testKey } from '../support/server.ts'
import { deployed } from './proxy.ts'
import { findsFile, serving, statusOf } from './serving.ts'

const unitName = 'agents-datastores.service'

/** The unit as on a machine where the service is in this checkout. */
async function installed(): Promise<string> {
  const unit = await readFile(deployed(unitName), 'utf8')
  const file = join(await temporaryDirectory(), unitName)
  await writeFile(file, unit.replaceAll('/opt/agents-datastores', root))
  return file
}

function analyze(...args: string[]): { status: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, told: stdout + stderr }
}

test.runIf(hasTool('systemd-analyze'))(
  'systemd finds no fault in the unit, nor much that the service could reach',
  async () => {
    const file = await installed()
    const verified = analyze('verify', '--man=no', file)
    // It may find faults in other units of the machine.
    const told = verified.told.split('\n').filter((line) => line.includes(unitName))
    expect([verified.status, told]).toEqual([0, []])
    const exposure = analyze('security', '--offline=yes', '--threshold=25', file)
    expect(exposure.status, exposure.told).toBe(0)
  },
)

/** The unit has a `/tmp` of its own, which hides a checkout there. */
const canMount =
  process.getuid?.() === 0 &&
  !root.startsWith('/tmp/') &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/var/lib']).status === 0
if (!canMount)
  console.warn(
    'Only root mounts directories, and not over a checkout in /tmp: the unit is not started.',
  )

/** What stands behind a name in a unit. */
const valuesOf = (unit: string, name: string): string[] =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value)

/** As ProtectSystem=strict, StateDirectory, CacheDirectory and NoNewPrivileges have it, without systemd. */
const sandbox = `mount -t tmpfs none /var/lib && mount -t tmpfs none /var/cache && mount -t tmpfs none /tmp
install -d -m 700 -o 1000 -g 1000 "/var/lib/$1" "/var/cache/$2"
mount -o remount,ro,bind /
cd "$3" && shift 3
exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all "$@"`

test.runIf(canMount)(
  'what the unit starts answers and reads files, where it can write to its own directories alone',
  { tags: 'deep' },
  async () => {
    const unit = await readFile(await installed(), 'utf8')
    const [state = '', cache = '', directory = ''] = [
      'StateDirectory',
      'CacheDirectory',
      'WorkingDirectory',
    ].flatMap((name) => valuesOf(unit, name))
    const settings = valuesOf(unit, 'Environment').map((pair) =>
      pair.replace('%S', '/var/lib').replace('%C', '/var/cache').split('='),
    )
    const env = {
      PORT: String(await freePort()),
      INITIAL_KEY: testKey,
      ...Object.fromEntries(settings),
    }
    const command = valuesOf(unit, 'ExecStart').join('').split(' ')
    const args = ['-m', 'sh', '-ec', sandbox, 'sh', state, cache, directory, ...command]
    const child = spawn('unshare', args, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env } })
    const { client, stop } = await serving(child)
    await findsFile(client)
    expect(statusOf(child.pid!, 'Uid').split('\t')).not.toContain('0')
    expect(statusOf(child.pid!, 'NoNewPrivs')).toBe('1')
    await stop()
  },
)
