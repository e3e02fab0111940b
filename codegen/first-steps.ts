/** The steps of README that the page `/` shows: paragraphs, commands and their output, unchanged. */

type Step = { kind: 'paragraph' | 'command' | 'output'; text: string }

const parts = [
  ['Give another shell the key', 'Put the folder in again'],
  ['The same over HTTP.', 'The same in TypeScript'],
] as const

/** @throws if README has no such first and last words */
export function firstStepsSource(readme: string): string {
  const steps = parts.map(([from, until]) => stepsOf(between(readme, from, until)))
  return `// Made from README.md by \`npm run generate\`.
export type Step = { kind: 'paragraph' | 'command' | 'output'; text: string }

/** By the command line, and over HTTP. */
export const firstSteps: readonly [Step[], Step[]] = ${JSON.stringify(steps, null, 2)}
`
}

function between(text: string, from: string, until: string): string {
  const start = text.indexOf(`\n${from}`)
  const end = text.indexOf(`\n${until}`, start)
  if (start < 0 || end < 0) throw new Error(`README has no part from "${from}" until "${until}".`)
  return text.slice(start, end)
}

const stepsOf = (part: string): Step[] =>
  Array.from(part.matchAll(/```(\w+)\n(.*?)\n```|(\S.*?)(?=\n\n|$)/gs), ([, fence, block, words]) =>
    block === undefined
      ? { kind: 'paragraph', text: words ?? '' }
      : { kind: fence === 'sh' ? 'command' : 'output', text: block },
  )
