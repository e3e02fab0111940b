import { distance } from 'fastest-levenshtein'

/** No name of the contract is as long. */
const longestMeant = 64

/** The known name that somebody who wrote another one most likely meant. */
export function likeliest(written: string, known: string[]): string | undefined {
  if (written.length > longestMeant) return undefined
  const plain = toPlain(written)
  const far = known.map((name) => ({ name, by: distance(plain, toPlain(name)) }))
  const [nearest] = far.toSorted((a, b) => a.by - b.by)
  return nearest && nearest.by <= plain.length / 4 ? nearest.name : undefined
}

/** Case and what joins words are mistaken first. */
const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
