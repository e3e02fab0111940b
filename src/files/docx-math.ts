import { isSingle } from './math-text.ts'

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

const tags: Record<'open' | 'close', Record<string, string>> = {
  open: {
    'm:r': '<w:r>',
    'm:t': '<w:t xml:space="preserve">',
    'm:d': run('('),
    'm:num': run('('),
    'm:den': run('/('),
  },
  close: {
    'm:r': '</w:r>',
    'm:t': '</w:t>',
    'm:d': run(')'),
    'm:num': run(')'),
    'm:den': run(')'),
  },
}

/** The replacement of a formula's tag, which makes it text in one line: `x^2`, `(a+b)/(c)`. */
export function mathTag(
  place: 'open' | 'close',
  name: string,
  attributes: Record<string, string> = {},
): string {
  if (name === 'm:chr' && place === 'open') return run(attributes['m:val'] ?? '')
  return tags[place][name] ?? ''
}

/** A longer one has several parts. Elements in elements are not searched again and again. */
const maxSingle = 2_000

const grouped = (sign: string, runs: string): string => {
  const isShort = runs.length <= maxSingle && isSingle(runs.replace(/<[^>]*>/g, '').trim())
  return isShort ? run(sign) + runs : run(`${sign}(`) + runs + run(')')
}

const endOfDegree = '<m:deg/>'

/** `root(3, x)`, and `√x` without a degree. */
function rootOf(runs: string): string {
  const [radicand = '', degree = ''] = runs.split(endOfDegree).toReversed()
  if (!/<w:t[^>]*>\s*[^<\s]/.test(degree)) return grouped('√', radicand)
  return `${run('root(')}${degree}${run(', ')}${radicand}${run(')')}`
}

/** Makes text of an element from its edited runs. Parts of several signs are in parentheses: `x^(n+1)`. */
export const mathElements: Readonly<Record<string, (runs: string) => string>> = {
  'm:sup': (runs) => grouped('^', runs),
  'm:sub': (runs) => grouped('_', runs),
  'm:deg': (runs) => runs + endOfDegree,
  'm:rad': rootOf,
}
