import { isSingle } from './math-text.ts'

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

const tags: Record<'open' | 'close', Record<string, string>> = {
  open: {
    'm:r': '<w:r>',
    'm:t': '<w:t xml:space="preserve">',
    'm:d': run('('),
    'm:num': run('('),
    'm:den': run('/('),
    'm:rad': run('√'),
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

const scriptSigns: Record<string, string> = { 'm:sup': '^', 'm:sub': '_' }

export const isScript = (name: string): boolean => name in scriptSigns

/** A longer one has several parts. Scripts in scripts are not searched again and again. */
const maxSingle = 2_000

/** An exponent or an index of edited runs, in parentheses where it has several parts: `x^(n+1)`. */
export function scriptOf(name: string, runs: string): string {
  const sign = scriptSigns[name]!
  const isShort = runs.length <= maxSingle && isSingle(runs.replace(/<[^>]*>/g, '').trim())
  return isShort ? run(sign) + runs : run(`${sign}(`) + runs + run(')')
}
