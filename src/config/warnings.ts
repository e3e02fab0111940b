import { clientSettings } from './client-config.ts'
import { serverSettings } from './config.ts'
import type { FileSettings } from './env-file.ts'
import { nearestName } from '../text/nearest-name.ts'

const settings: readonly string[] = [...serverSettings, ...clientSettings]

/** Names close to that of a setting, which other programs use. */
const knownElsewhere = new Set(['APP_KEY', 'HOME', 'PATH', 'POST'])

/** A sentence for each likely mistake. Outside the file only near misses count: most variables are not ours. */
export function settingWarnings(env: NodeJS.ProcessEnv, fromFile: FileSettings): string[] {
  const inFile = Object.keys(fromFile)
  const elsewhere = Object.keys(env).filter((name) => !(name in fromFile))
  return [
    ...inFile.flatMap((name) =>
      misspelt(`${name} in .env`, name.toUpperCase(), name, maxDistanceInFile),
    ),
    ...elsewhere.flatMap((name) => misspelt(name, name, name, maxDistanceElsewhere)),
    ...inFile.flatMap((name) => unexpanded(name, fromFile[name])),
  ]
}

const loopback = /^(127\.|\[?::1\]?$|localhost$)/

/** A sentence if other machines reach the server by this address. */
export function exposureWarning(host: string): string[] {
  if (loopback.test(host)) return []
  return [
    `HOST ${host} lets other machines connect, and the server speaks plain HTTP: keys travel in the clear unless a proxy with TLS stands before it.`,
  ]
}

function misspelt(
  place: string,
  spelt: string,
  name: string,
  maxDistance: (known: string) => number,
): string[] {
  if (settings.includes(name) || knownElsewhere.has(spelt)) return []
  const meant = nearestName(spelt, settings, maxDistance)
  return meant === undefined ? [] : [`${place} is no setting. Did you mean ${meant}?`]
}

const maxDistanceInFile = (known: string): number => Math.min(4, Math.floor(known.length / 3))
const maxDistanceElsewhere = (known: string): number => (known.length < 10 ? 1 : 2)

function unexpanded(name: string, value = ''): string[] {
  if (!settings.includes(name) || !/\$\{?[A-Za-z_]/.test(value)) return []
  return [
    `${name} in .env holds a $, and variables are not replaced there: write its value in full.`,
  ]
}
