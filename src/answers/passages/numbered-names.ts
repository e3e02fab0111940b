import { caseFolded } from '../../text/folding.ts'
import { wordWeight } from '../../text/stop-words.ts'
import { numbersAndCodesIn } from './codes.ts'

/** As `room 3`, `version 2.1` and `weighs 2,5`. */
const numbered =
  /(?<![\p{L}\p{N}])(?<name>\p{L}+)[ \u00a0](?<number>\d+(?:[.,]\d+)*)(?![\p{L}\p{N}])/gu
/** A text with fewer other numbers of a name does not count its things: it may be `Node 20`, the least that is needed. */
const minOthers = 2

const withPoint = (text: string): string => text.replaceAll(/(?<=\d),(?=\d)/g, '.')

function numbersByName(text: string): Map<string, Set<string>> {
  const numbers = new Map<string, Set<string>>()
  for (const { groups } of text.matchAll(numbered)) {
    const name = caseFolded(groups!['name']!)
    if (wordWeight(name) === 0) continue
    numbers.set(name, (numbers.get(name) ?? new Set()).add(withPoint(groups!['number']!)))
  }
  return numbers
}

/** Whether the texts tell of rooms 1 and 2 where room 3 is asked for, whose number the passage lacks. */
export function tellOfOthers(question: string, passage: string, texts: readonly string[]): boolean {
  const asked = numbersByName(question)
  if (asked.size === 0) return false
  const held = numbersByName(texts.join('\n'))
  const own = new Set(numbersAndCodesIn(withPoint(passage)))
  return [...asked].some(([name, numbers]) => {
    const others = held.get(name)
    return (
      others !== undefined &&
      others.size >= minOthers &&
      others.isDisjointFrom(numbers) &&
      own.isDisjointFrom(numbers)
    )
  })
}
