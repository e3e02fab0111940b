import { clientSettings, serverSettings } from './config.ts'
import type { FileSettings } from './env-file.ts'
import { nearestName } from './nearest-name.ts'

const settings: readonly string[] = [...serverSettings, ...clientSettings]

/** Near to a setting's name, and well known as something else's. */
const ofOthers = new Set(['APP_KEY', 'HOME', 'PATH', 'POST'])

/**
 * What was probably meant as a setting and is none, a sentence each. A file may hold what looks like one
 * from afar; the environment is everybody's, so that there only near misses count.
 */
export function doubtfulSettings(env: NodeJS.ProcessEnv, fromFile: FileSettings): string[] {
  const inFile = Object.keys(fromFile)
  const elsewhere = Object.keys(env).filter((name) => !(name in fromFile))
  return [
    ...inFile.flatMap((name) => doubtOf(`${name} in .env`, name.toUpperCase(), name, farMiss)),
    ...elsewhere.flatMap((name) => doubtOf(name, name, name, nearMiss)),
    ...inFile.flatMap((name) => unexpanded(name, fromFile[name])),
  ]
}

function doubtOf(
  place: string,
  spelt: string,
  name: string,
  most: (known: string) => number,
): string[] {
  if (settings.includes(name) || ofOthers.has(spelt)) return []
  const meant = nearestName(spelt, settings, most)
  return meant === undefined ? [] : [`${place} is no setting. Did you mean ${meant}?`]
}

const farMiss = (known: string): number => Math.min(4, Math.floor(known.length / 3))
const nearMiss = (known: string): number => (known.length < 10 ? 1 : 2)

function unexpanded(name: string, value = ''): string[] {
  if (!settings.includes(name) || !/\$\{?[A-Za-z_]/.test(value)) return []
  return [
    `${name} in .env holds a $, and variables are not replaced there: write its value in full.`,
  ]
}
