import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './contract.ts'
import { temporaryDirectory } from './server.ts'

const run = promisify(execFile)

export type Packed = {
  /** An empty project in which the package is installed, as strangers get it. */
  project: string
  tarball: string
  /** The packages that were installed. */
  installed: string[]
  /** The bytes of all that was installed. */
  size: number
}

/** Packs a workspace, and installs the file into an empty project without the network. */
export async function installPacked(workspace: 'client' | 'cli'): Promise<Packed> {
  const project = await temporaryDirectory()
  await run('npm', ['run', `pack:${workspace}`, '--', project], { cwd: root })
  const [tarball = ''] = globSync('*.tgz', { cwd: project })
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
  const options = ['--offline', '--no-audit', '--ignore-scripts', '--install-links']
  await run('npm', ['install', ...options, tarball, ...dependenciesOf(workspace)], { cwd: project })
  const lock = readFileSync(join(project, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, unknown> }
  const installed = Object.keys(packages).flatMap((path) => path.split('node_modules/')[1] ?? [])
  return { project, tarball, installed, size: bytesIn(join(project, 'node_modules')) }
}

/** The folders of what a package depends on, as it is installed here, and of what that depends on. */
function dependenciesOf(folder: string, found = new Set<string>()): string[] {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const place = join('node_modules', name)
    if (found.has(join(root, place))) continue
    found.add(join(root, place))
    dependenciesOf(place, found)
  }
  return [...found]
}

const bytesIn = (folder: string): number =>
  globSync('**/*', { cwd: folder })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)

const peers = join(root, 'test/peers/client')

/** Runs a tool that judges or bundles packages, in a project. */
export async function peerTool(cwd: string, file: string, ...args: string[]): Promise<void> {
  if (!existsSync(join(peers, 'node_modules/.package-lock.json'))) {
    await run('npm', ['ci', '--prefix', peers, '--ignore-scripts'])
  }
  await run(process.execPath, [join(peers, 'node_modules', file), ...args], { cwd })
}
