import { expect } from 'vitest'

export type Sample = { family: string; name: string; labels: Record<string, string>; value: number }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"'
const number = '[+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|inf|nan)'
const help = new RegExp(`^# HELP (${name}) .+$`)
const type = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`)
const sample = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (${number})$`, 'i')

/** Reads the text format of Prometheus, and refuses anything else. */
export function samplesOf(text: string): Sample[] {
  expect(text).toMatch(/\n$/)
  const families: string[] = []
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line, index, lines) => {
      if (line === '') return []
      const family = help.exec(line)?.[1]
      if (family !== undefined) {
        expect(families).not.toContain(family)
        expect(type.exec(lines[index + 1] ?? '')?.[1]).toBe(family)
        families.push(family)
        return []
      }
      return type.test(line) ? [] : [readSample(line, families.at(-1) ?? '')]
    })
}

function readSample(line: string, family: string): Sample {
  const [, own = '', labels = ''] = sample.exec(line) ?? expect.unreachable(line)
  expect(own.replace(/_(bucket|sum|count)$/, '')).toBe(family.replace(/_(bucket|sum|count)$/, ''))
  return {
    family,
    name: own,
    labels: Object.fromEntries(
      Array.from(labels.matchAll(new RegExp(label, 'g')), ([, key, value]) => [key, value]),
    ),
    value: Number(/\S+$/.exec(line)?.[0]?.replace(/inf$/i, 'Infinity')),
  }
}
