import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../support/contract.ts'
import { temporaryDirectory } from '../support/server.ts'
import { contextNames, type Instruction, type Stage } from './dockerfile.ts'

const overlay = 'mount -t overlay none -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" "$0/root"'

/** What the base image has otherwise than this machine, and no trace of the checkout. */
const base = `${overlay}
cd "$0/root"
mount --bind /dev dev
mkdir packages && mount --bind ${realpathSync(join(root, 'node_modules'))} packages
cp ${join(import.meta.dirname, 'npm.mjs')} usr/local/sbin/npm
mount -t tmpfs none ".${root}"
cp ${process.execPath} usr/local/bin/node
cat > usr/local/sbin/apt-get <<'END'
#!/bin/sh
# Its packages are those of this machine.
[ "$1" = install ] || exit 0
shift
for name; do case $name in -*) ;; *) command -v "$name" || exit 1 ;; esac; done
END
chmod +x usr/local/sbin/apt-get usr/local/sbin/npm
echo ready
exec sleep 600`

/** Whether the files of this machine can be mounted as those of an image. */
export function canBuild(): boolean {
  if (process.getuid?.() !== 0) return false
  const tried = 'mount -t tmpfs none /tmp && cd /tmp && mkdir upper work root && set -- && '
  return spawnSync('unshare', ['-m', 'sh', '-c', tried + overlay, '/tmp']).status === 0
}

/**
 * What the last stage of a Dockerfile leads to, without Docker: its instructions, taken on this machine's files.
 * It goes with the test.
 */
export async function buildImage(stages: Stage[]): Promise<Image> {
  const built = new Map<string, Image>()
  for (const { name, steps } of stages) {
    const image = await Image.begin()
    for (const step of steps) image.take(step, built)
    built.set(name, image)
  }
  return built.get('')!
}

export class Image {
  readonly #folder: string
  readonly #holder: ChildProcess
  readonly env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  }
  directory = '/'
  user = ''
  volumes: string[] = []
  command: string[] = []
  healthcheck: string[] = []

  private constructor(folder: string, holder: ChildProcess) {
    this.#folder = folder
    this.#holder = holder
  }

  static async begin(): Promise<Image> {
    const folder = await temporaryDirectory()
    for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name))
    const holder = spawn('unshare', ['-m', 'sh', '-ec', base, folder])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    return new Image(folder, holder)
  }

  /** Where its files are, for who is in its mounts. */
  get root(): string {
    return join(this.#folder, 'root')
  }

  /** The command that runs another one in its mounts. */
  get within(): string[] {
    return ['nsenter', '-t', String(this.#holder.pid), '-m', '--']
  }

  /** Runs a program with its files alone. */
  run(...command: string[]): string {
    return this.#call({ HOME: '/root', ...this.env }, 'chroot', this.root, ...command)
  }

  ownerOf(path: string): string {
    return this.run('stat', '-c', '%u:%g %a', path).trim()
  }

  #call(env: NodeJS.ProcessEnv, ...command: string[]): string {
    const [program = '', ...args] = [...this.within, ...command]
    return execFileSync(program, args, { env, encoding: 'utf8', stdio: 'pipe' })
  }

  take({ name, rest }: Instruction, built: Map<string, Image>): void {
    if (name === 'WORKDIR') this.run('mkdir', '-p', (this.directory = rest))
    else if (name === 'COPY') this.#copy(rest.split(' '), built)
    else if (name === 'RUN') this.run('sh', '-c', `cd ${this.directory} && ${rest}`)
    else if (name === 'ENV') Object.assign(this.env, pairsOf(rest))
    else if (name === 'USER') this.user = rest
    else if (name === 'VOLUME') this.volumes.push(rest)
    else if (name === 'ENTRYPOINT' || name === 'CMD') this.command.push(...JSON.parse(rest))
    else if (name === 'HEALTHCHECK') this.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')))
    else if (name !== 'EXPOSE') throw new Error(`${name} is not known here.`)
  }

  #copy(words: string[], built: Map<string, Image>): void {
    const from = words.find((word) => word.startsWith('--from='))?.split('=')[1]
    const [to = '', ...sources] = words.filter((word) => !word.startsWith('--')).toReversed()
    const target = resolve(this.directory, to)
    for (const source of sources) {
      if (from !== undefined) this.#add(join(built.get(from)!.#folder, 'upper', source), target)
      else if (source !== '.') this.#add(inContext(source), join(target, basename(source)))
      else for (const name of contextNames()) this.#add(join(root, name), join(target, name))
    }
  }

  /** Copies a file, or what is in a directory, to a place of this name. */
  #add(source: string, target: string): void {
    const isDirectory = statSync(source).isDirectory()
    const to = join(this.root, target)
    this.#call(process.env, 'mkdir', '-p', isDirectory ? to : dirname(to))
    this.#call(
      process.env,
      'cp',
      '-rP',
      '--preserve=mode',
      isDirectory ? `${source}/.` : source,
      to,
    )
  }
}

function inContext(source: string): string {
  const isThere = contextNames().some((name) => `${source}/`.startsWith(`${name}/`))
  if (!isThere) throw new Error(`.dockerignore leaves out ${source}.`)
  return join(root, source)
}

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]))
