import { type Attributes, readPlainXml } from './xml.ts'

const signs: Record<string, readonly string[]> = {
  mfrac: ['', '/'],
  msup: ['', '^'],
  mover: ['', '^'],
  msub: ['', '_'],
  munder: ['', '_'],
  msubsup: ['', '_', '^'],
  munderover: ['', '_', '^'],
}
const spaced = new Set(['mtext', 'mtr', 'mtd'])

/** Of a formula, as a program wrote it for itself. */
const otherForm = 'other-form'

type Open = { name: string; children: string[] }

/** A formula of MathML in one line: `x^2`, `(a+b)/(c)`. Its author's TeX, if it has that, stands for its drawing. */
export class MathText {
  readonly #open: Open[] = [{ name: 'math', children: [] }]

  open(name: string, { encoding = 'tex' }: Attributes = {}): void {
    const isOther = name.startsWith('annotation') && !/tex/i.test(encoding)
    this.#open.push({ name: isOther ? otherForm : name, children: [] })
  }

  text(text: string): void {
    if (text.trim() !== '') this.#open.at(-1)!.children.push(text.trim())
  }

  close(): void {
    const closed = this.#open.pop()!
    this.#open.at(-1)?.children.push(textOf(closed))
  }

  end(): string {
    while (this.#open.length > 1) this.close()
    return textOf(this.#open[0]!)
  }
}

function textOf({ name, children }: Open): string {
  if (name === otherForm) return ''
  if (name === 'semantics') return children.findLast((child) => child !== '') ?? ''
  const whole = children.join('')
  // The name of a function, as in `sin x`.
  if (name === 'mi' && whole.length > 1) return `${whole} `
  if (spaced.has(name)) return ` ${whole} `
  if (name === 'msqrt') return `√${grouped(whole)}`
  if (name === 'mroot') return `root(${children.toReversed().join(', ')})`
  const before = signs[name]
  if (!before) return whole
  return children.map((child, place) => (before[place] ?? '') + grouped(child)).join('')
}

const single = /^(?:[\p{L}\p{M}]*|[\p{N}.,]+|.|\([^\(\)]*\))$/v

/** Whether it is nothing, a number, a name or in parentheses, unlike a sum or a product. */
const isSingle = (text: string): boolean => single.test(text)

function grouped(part: string): string {
  const text = part.trim()
  return isSingle(text) ? text : `(${text})`
}

/** The formula of a file of its own, empty for a file of another kind, such as a chart. */
export function readMath(bytes: Uint8Array | undefined): string {
  if (!bytes) return ''
  const formula = new MathText()
  let root = ''
  readPlainXml(bytes, {
    onopentag: (name, attributes) => {
      root ||= name
      formula.open(name, attributes)
    },
    ontext: (text) => formula.text(text),
    onclosetag: () => formula.close(),
  })
  return root === 'math' ? formula.end() : ''
}

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
  attributes: Attributes = {},
): string {
  if (name === 'm:chr' && place === 'open') return run(attributes['m:val'] ?? '')
  return tags[place][name] ?? ''
}

/** A longer one has several parts. Elements in elements are not searched again and again. */
const maxSingle = 2_000

const groupedRuns = (sign: string, runs: string): string => {
  const isShort = runs.length <= maxSingle && isSingle(runs.replace(/<[^>]*>/g, '').trim())
  return isShort ? run(sign) + runs : run(`${sign}(`) + runs + run(')')
}

const endOfDegree = '<m:deg/>'

function rootOf(runs: string): string {
  const [radicand = '', degree = ''] = runs.split(endOfDegree).toReversed()
  if (!/<w:t[^>]*>\s*[^<\s]/.test(degree)) return groupedRuns('√', radicand)
  return `${run('root(')}${degree}${run(', ')}${radicand}${run(')')}`
}

/** Makes text of an element from its edited runs. Parts of several signs are in parentheses: `x^(n+1)`. */
export const mathElements: Readonly<Record<string, (runs: string) => string>> = {
  'm:sup': (runs) => groupedRuns('^', runs),
  'm:sub': (runs) => groupedRuns('_', runs),
  'm:deg': (runs) => runs + endOfDegree,
  'm:rad': rootOf,
}
