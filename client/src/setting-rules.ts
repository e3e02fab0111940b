import type { Settings } from './settings.ts'

type Rule = { wanted: string; isSound: (value: unknown) => boolean }

/** A key and headers are secret, and are checked where no error repeats them. */
const secret: Rule = { wanted: '', isSound: () => true }

const levels = ['debug', 'info', 'warn', 'error']

const rules: Record<keyof Settings, Rule> = {
  baseUrl: {
    wanted: 'be text or a URL',
    isSound: (value) => typeof value === 'string' || value instanceof URL,
  },
  apiKey: secret,
  timeout: {
    wanted: 'be a number of milliseconds above 0',
    isSound: (value) => typeof value === 'number' && value > 0,
  },
  maxRetries: {
    wanted: 'be a whole number from 0',
    isSound: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  },
  fetch: { wanted: 'be a function', isSound: (value) => typeof value === 'function' },
  headers: secret,
  logger: {
    wanted: `have the functions ${levels.join(', ')}`,
    isSound: (value) =>
      levels.every(
        (level) => typeof (value as Record<string, unknown> | null)?.[level] === 'function',
      ),
  },
}

/** @throws TypeError for a name that is no setting, or a value that a setting cannot have */
export function checkSettings(settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!isSetting(name)) {
      throw new TypeError(`${name} is no setting. There are ${Object.keys(rules).join(', ')}.`)
    }
    checkSetting(name, value)
  }
}

/** @throws TypeError for a value that the setting cannot have */
export function checkSetting(name: keyof Settings, value: unknown): void {
  const { wanted, isSound } = rules[name]
  if (value !== undefined && !isSound(value)) {
    throw new TypeError(`${name} is ${shown(value)}: it has to ${wanted}.`)
  }
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(rules, name)

/** Not what is in an object, such as a URL with a password. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value !== null && typeof value === 'object' ? 'an object' : String(value)
}
