import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { hasTool } from '../support/operator-tools.ts'
import { temporaryDirectory, testKey } from '../support/server.ts'
import { stages } from './dockerfile.ts'
import { buildImage, canBuild, type Image } from './image.ts'
import { below, findsFile, serving, statusOf } from './serving.ts'

const canRun = hasTool('tini') && canBuild()
if (!canRun) console.warn('Only root mounts the files of an image: its test does not run.')

/**
 * As `docker run --read-only --cap-drop ALL --security-opt no-new-privileges` with a new volume: a process 1,
 * and nothing that can be written to but the volume and /tmp.
 */
function start(image: Image, settings: Record<string, string>, volume: string): ChildProcess {
  const [data = ''] = image.volumes
  const [uid = '', gid = ''] = image.user.split(':')
  const script = `cd "$1"
chown "$(stat -c %u:%g ".$2")" "$4" && chmod "$(stat -c %a ".$2")" "$4" && mount --bind "$4" ".$2"
mount -o remount,ro,bind .
mount -t tmpfs none tmp && mount -t proc proc proc
directory=$3; shift 4
exec chroot . setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all \\
  sh -c 'cd "$0" && exec "$@"' "$directory" "$@"`
  const args = ['-mpf', 'sh', '-ec', script, 'sh', image.root, data, image.directory, volume]
  const [program = '', ...rest] = [...image.within, 'unshare', ...args, ...image.command]
  const env = { ...image.env, ...settings }
  return spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

test.runIf(canRun)(
  'what the Dockerfile builds answers, reads files, is not root, reaps and stops',
  { tags: 'deep', timeout: 300_000 },
  async () => {
    const image = await buildImage(stages())
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    // The machine is no container of its own, so others would reach its port.
    const settings = { PORT: String(await freePort()), HOST: '127.0.0.1', INITIAL_KEY: testKey }
    const container = start(image, settings, await temporaryDirectory())
    const { client, processes, stop } = await serving(container)
    await findsFile(client)
    const sample = await fetch(`http://127.0.0.1:${settings.PORT}/docs/sample/lending.pdf`)
    expect(sample.status).toBe(200)

    const [first = 0, ...others] = processes()
    expect(statusOf(first, 'Name')).toBe('tini')
    expect(others.length).toBeGreaterThan(0)
    for (const pid of [first, ...others]) {
      expect(statusOf(pid, 'Uid').split('\t')).not.toContain('0')
      expect(statusOf(pid, 'CapEff')).toMatch(/^0+$/)
    }

    const exec = (...command: string[]) => {
      const set = Object.entries({ ...settings, API_KEY: testKey }).map((pair) => pair.join('='))
      return image.run('env', '-C', image.directory, ...set, ...command)
    }
    exec(...image.healthcheck)
    expect(exec('node', 'src/cli/main.ts', 'datastores', 'list')).toContain('library')

    // Its parent ends before it, so that it is left to process 1.
    execFileSync('nsenter', ['-t', String(first), '-p', 'sh', '-c', '(sleep 0.1 &)'])
    await expect.poll(() => below(first).map((pid) => statusOf(pid, 'Name'))).not.toContain('sleep')
    await stop(first)
  },
)
