/** Prints what the contract says otherwise than the last that was released. Run by `npm run changes`. */
import { contractChanges } from './operations.ts'
import { currentContract, releasedContracts } from './released.ts'

const headings = {
  breaks: 'Breaks those who keep to it',
  warns: 'Is felt by some tools',
  adds: 'Is new, or looser for those who keep to it',
}

const { version = '', contract = {} } = releasedContracts().at(-1) ?? {}
const changes = Object.groupBy(contractChanges(contract, currentContract()), ({ kind }) => kind)

console.log(`# Since ${version}`)
for (const [kind, heading] of Object.entries(headings)) {
  const some = changes[kind as keyof typeof headings] ?? []
  if (some.length > 0) console.log([`\n## ${heading}\n`, ...some.map(toLine)].join('\n'))
}

function toLine({ text }: { text: string }): string {
  return `- ${text.replaceAll('#/components/', '')}`
}
