import { type Answer, bytesOf, type Case } from './wire.ts'

export type Finding = {
  kind: string
  index: number
  request: Buffer
  answer: string
  count: number
}

/** What was found, each kind once with the first request that showed it. */
export class Findings {
  readonly #found = new Map<string, Finding>()

  add(fault: string, index: number, one: Case, answer?: Answer): void {
    const kind = `${one.operation?.operationId ?? one.title}: ${fault}`
    const alike = kind.replaceAll(/[0-9a-f]{8,}|\d{2,}/g, '#').slice(0, 160)
    const known = this.#found.get(alike)
    if (known) known.count++
    else
      this.#found.set(alike, {
        kind,
        index,
        request: bytesOf(one),
        answer: shown(answer),
        count: 1,
      })
  }

  get all(): Finding[] {
    return [...this.#found.values()]
  }
}

const shown = (answer: Answer | undefined): string =>
  answer ? `${answer.status} ${answer.text.slice(0, 600)}` : 'no answer'

const longest = 2_000

/** For people: what, how often, and the bytes as a string that JavaScript and Python read. */
export function reportOf(findings: Finding[], seed: number): string {
  const parts = findings.map(({ kind, index, request, answer, count }) => {
    const text = JSON.stringify(request.toString('latin1'))
    const more = text.length > longest ? `… (${request.length} bytes)` : ''
    return `${kind} (${count} times, first as number ${index})\n  ${text.slice(0, longest)}${more}\n  → ${answer}`
  })
  return [`${findings.length} kinds of faults, FUZZ_SEED=${seed}`, ...parts].join('\n\n')
}
