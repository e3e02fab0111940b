/** Prints the changes of the contract since the last release. Run by `npm run changes`. */
import { contractHistory } from './history.ts'

const headings = {
  breaks: 'Breaks those who keep to it',
  warns: 'Is felt by some tools',
  adds: 'Is new, or looser for those who keep to it',
} as const

const [newest] = contractHistory()
if (newest) {
  console.log(`# Since ${newest.since}`)
  for (const kind of ['breaks', 'warns', 'adds'] as const) {
    const lines = newest.changes[kind].map((text) => `- ${text}`)
    if (lines.length > 0) console.log([`\n## ${headings[kind]}\n`, ...lines].join('\n'))
  }
}
