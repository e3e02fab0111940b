import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasTool } from '../support/operator-tools.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { stages } from './dockerfile.ts'
import { buildImage, canBuild, type Image } from './image.ts'
import { freePort } from './proxy.ts'

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

/** Below a process, its children and theirs; none once it has ended. */
function below(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap((one) => [one, ...below(one)])
}

/** A line of what the system says of a process. */
const statusOf = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''

function nameOf(pid: number): string {
  try {
    return statusOf(pid, 'Name')
  } catch {
    return 'ended'
  }
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
    onTestFinished(() => {
      for (const pid of below(container.pid!)) process.kill(pid, 'SIGKILL')
    })
    let errors = ''
    container.stderr!.on('data', (bytes) => (errors += String(bytes)))
    let url = ''
    for await (const line of createInterface(container.stdout!)) {
      url = /^Listening on (.*)$/.exec(line)?.[1] ?? ''
      if (url) break
    }
    expect(url, errors).not.toBe('')
    const client = checkedClient(url)
    const id = await makeDatastore(client)
    const file = new File(['<p>The library opens at nine.</p>'], 'hours.html')
    const { data } = await sdk.uploadFile({ client, path: { id }, body: { file } })
    expect(data?.name).toBe('hours.html')

    const [first = 0, ...others] = below(container.pid!)
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
    await expect.poll(() => below(first).map((pid) => nameOf(pid))).not.toContain('sleep')

    process.kill(first, 'SIGTERM')
    expect(await once(container, 'exit')).toEqual([0, null])
    expect(errors).toContain('"stopped"')
  },
)
