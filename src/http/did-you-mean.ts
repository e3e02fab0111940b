import { nearestName } from '../nearest-name.ts'

/** No name of the contract is as long. */
const longestMeant = 64

/** The known name that somebody who wrote another one most likely meant. */
export function likeliest(written: string, known: string[]): string | undefined {
  if (written.length > longestMeant) return undefined
  const plain = toPlain(written)
  const byPlain = new Map(known.map((name) => [toPlain(name), name]))
  const nearest = nearestName(plain, [...byPlain.keys()], () => plain.length / 4)
  return nearest === undefined ? undefined : byPlain.get(nearest)
}

/** Case and what joins words are mistaken first. */
const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
