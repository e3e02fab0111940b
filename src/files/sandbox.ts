import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { maxHeapMebibytes } from './limits.ts'

export type Sandbox = { execPath: string; execArgv: string[]; env: NodeJS.ProcessEnv }

const root = join(import.meta.dirname, '../..')
const code = ['src', 'generated', 'node_modules', 'package.json'].map((name) => join(root, name))

/** For a process that may read code and no other file, write nowhere, start nothing and load no machine code. */
export function sandbox(isOffline: boolean): Sandbox {
  // Where packages are a link, Node asks for what it leads to.
  const readable = new Set(code.flatMap((path) => [path, realpathSync(path)]))
  const flags = [
    `--max-old-space-size=${maxHeapMebibytes}`,
    '--permission',
    ...Array.from(readable, (path) => `--allow-fs-read=${path}`),
    '--allow-worker',
  ]
  const { execPath } = process
  if (!isOffline) return { execPath, execArgv: flags, env: {} }
  // Node runs in its own namespaces, without rights over others' files and without network.
  return { execPath: 'unshare', execArgv: ['-U', '-n', execPath, ...flags], env: {} }
}

let offline: Promise<boolean> | undefined

/** Whether the system lets a process be without network, and read its code there; tried once. */
export const canBeOffline = (): Promise<boolean> => (offline ??= triesOffline())

function triesOffline(): Promise<boolean> {
  const { execPath, execArgv, env } = sandbox(true)
  const script = `await import(${JSON.stringify(import.meta.resolve('./read-file.ts'))})`
  const args = [...execArgv, '--input-type=module', '--eval', script]
  return new Promise((resolve) => {
    execFile(execPath, args, { env }, (error) => resolve(error === null))
  })
}
