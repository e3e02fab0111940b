import { vi } from 'vitest'
import { run } from '../../cli/src/run.ts'
import { commandLine } from '../../src/cli/command-line.ts'
import { StartupError } from '../../src/errors/errors.ts'
import type { Run } from './command-line.ts'

const exitCodeNow = (): number => Number(process.exitCode ?? 0)

/** The service's own command line in this process. Without SERVICE_URL no server runs. */
export async function serviceCommand(
  settings: NodeJS.ProcessEnv,
  ...words: string[]
): Promise<Run> {
  const { exitCode } = process
  const umask = process.umask()
  const listeners = process.stdout.listeners('error')
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((bytes) => {
      written[name] += String(bytes)
      return true
    }),
  )
  vi.stubEnv('API_KEY', settings.API_KEY)
  process.exitCode = undefined
  try {
    // Nothing listens on port 1.
    await run(() => commandLine(words, { PORT: '1', ...settings }), [StartupError])
    return { code: exitCodeNow(), ...written }
  } finally {
    process.exitCode = exitCode
    process.umask(umask)
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
    for (const listener of process.stdout.listeners('error')) {
      if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void)
    }
  }
}
