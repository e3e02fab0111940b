import { isCollection, isScalar, parse, parseDocument, visit } from 'yaml'

/**
 * What parsers of YAML read differently in a text; empty when all of them read the same.
 * A plain scalar is read by the rules of 1.2 and of 1.1, where `no`, `012`, `1:30` and dates are
 * no strings, and inside `{}` and `[]` it holds no sign that a parser may stop at.
 */
export function yamlFaults(text: string): string[] {
  const document = parseDocument(text, { version: '1.2' })
  const faults = document.errors.map(({ message }) => message)
  visit(document, (_key, node, path) => {
    if (!isScalar(node) || node.type !== 'PLAIN') return
    const source = String(node.source)
    const isInFlow = path.some((parent) => isCollection(parent) && parent.flow)
    if (isInFlow && /[?:#&*!|>'"%@`\\]/.test(source)) faults.push(`in a flow collection: ${source}`)
    if (typeof node.value === 'string' && !isTheSame(source)) faults.push(`no string: ${source}`)
    if (typeof node.value === 'number' && String(node.value) !== source) {
      faults.push(`another number: ${source}`)
    }
  })
  return faults
}

/** Words of 1.1 and its numbers, which the parser's own 1.1 does not all know. */
const others =
  /^(y|n|yes|no|on|off|~|[-+]?[\d_]+(:[0-5]?\d)+|[-+]?\.?\d[\d_]*\.?[\d_]*(e[-+]?\d+)?)$/i

const isTheSame = (source: string): boolean =>
  !others.test(source) && typeof parse(source, { version: '1.1' }) === 'string'
