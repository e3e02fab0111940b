import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { StartupError } from '../errors/errors.ts'

export type FileSettings = Record<string, string>

/** Loads a file into the environment, which wins, and returns what it holds. @throws StartupError */
export function loadEnvFile(env: NodeJS.ProcessEnv, path = '.env'): FileSettings {
  const settings = parseEnv(decode(read(path), path)) as FileSettings
  for (const [name, value] of Object.entries(settings)) env[name] ??= value
  return settings
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return new Uint8Array()
    const reason = code === 'EISDIR' ? 'it is a directory' : String(code)
    throw new StartupError(`${path} cannot be read: ${reason}. Mend or remove it.`, { cause })
  }
}

/** Editors on Windows write UTF-16, or a byte order mark. */
function decode(bytes: Uint8Array, path: string): string {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Reported below.
  }
  throw new StartupError(`${path} is not text in UTF-8. Save it as UTF-8.`)
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}
