import { expect, test } from 'vitest'
import { documentsOf } from '../bench/findings.ts'
import { borders, cosine, nearnessRecall, vectorsOf } from '../bench/nearness.ts'
import { plotOf } from '../bench/plot.ts'
import { ratiosOf } from '../bench/ratios.ts'
import { questionsOf } from '../bench/spans.ts'
import type { Side } from '../bench/side.ts'
import { type Measured, measureSpeeds, median } from '../bench/speeds.ts'
import { Started } from '../bench/started.ts'
import type { LoadReport } from '../bench/timed-load.ts'
import { reportOf } from './report-of.ts'

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))

test('the border is the cosine of the last that is near enough, in true distances', async () => {
  const vectors = [0.3, 0.1, 0.2, 0.4].map(unit)
  const [border] = await borders([unit(0)], vectors, 2)
  expect(border).toBeCloseTo(Math.cos(0.2), 6)
  const [last] = await borders([unit(0)], vectors, 10)
  expect(last).toBeCloseTo(Math.cos(0.4), 6)
})

test('recall of the nearest counts any of several that are equally near', () => {
  expect(nearnessRecall([0.9, 0.8, 0.8], 0.8, 3)).toBe(1)
  expect(nearnessRecall([0.9, 0.8 - 1e-7, 0.8 - 1e-5], 0.8, 3)).toBe(2 / 3)
  expect(nearnessRecall([0.9], 0.8, 2)).toBe(1 / 2)
  expect(nearnessRecall([0.1, 0.9, 0.9], 0.8, 1)).toBe(0)
})

test('vectors have length 1, so that a product is a cosine', async () => {
  const [one, other] = await vectorsOf(['granite and willow', 'granite and copper'])
  expect(cosine(one!, one!)).toBeCloseTo(1, 6)
  expect(cosine(one!, other!)).toBeLessThan(1)
})

test('a document stands where its best piece does, once', () => {
  expect(documentsOf(['7+50', '3+0', '7+0', 'a+b+100'])).toEqual(['7', '3', 'a+b'])
})

test('the median is the middle one, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median([7])).toBe(7)
})

/** A side whose loads give these reports, one after the other. */
function sideOf(name: string, clients: number[], reports: LoadReport[], turns: string[]): Side {
  const left = reports.values()
  return {
    name,
    clients,
    ask: async () => [],
    load: async (count) => {
      turns.push(`${name} ${count}`)
      return left.next().value!
    },
  }
}

test('speeds are medians of rounds in which the sides take turns', async () => {
  const turns: string[] = []
  const one = sideOf(
    'one',
    [1, 64],
    [1, 10, 5, 50, 2, 30].map((rate) => reportOf(rate)),
    turns,
  )
  const other = sideOf(
    'other',
    [1],
    [7, 9, 8].map((rate) => reportOf(rate)),
    turns,
  )
  const speeds = await measureSpeeds([one, other], 3)
  expect(turns.slice(0, 4)).toEqual(['one 1', 'other 1', 'one 64', 'one 1'])
  expect(speeds.map(({ side, clients, speed }) => [side, clients, speed.rate])).toEqual([
    ['one', 1, 2],
    ['one', 64, 30],
    ['other', 1, 8],
  ])
})

test('a side that fails to answer ends the bench', async () => {
  const side = sideOf('one', [1], [reportOf(5, 2)], [])
  await expect(measureSpeeds([side], 1)).rejects.toThrow('one: 2 failed, the first with 500')
})

test('what was started is stopped in reverse, once, and nothing is started after that', async () => {
  const started = new Started()
  const stopped: string[] = []
  const stopOf = (name: string) => async () => {
    stopped.push(name)
  }
  await started.add(stopOf('first'))
  await started.add(stopOf('second'))
  await Promise.all([started.stop(), started.stop()])
  await expect(started.add(stopOf('third'))).rejects.toThrow('Interrupted')
  expect(stopped).toEqual(['second', 'first', 'third'])
})

const words = Array.from({ length: 400 }, (_, n) => `word${n}`)
const documents = [
  { number: '1', text: words.slice(0, 200).join('\n') },
  { number: '2', text: 'too short' },
  { number: '3', text: words.slice(200).join('  ') },
]

test('questions are the given ones and then spans of 6 to 20 words, each once', () => {
  const questions = questionsOf(['what flies', 'what flies', 'what swims'], documents, 300)
  expect(questions).toHaveLength(300)
  expect(new Set(questions).size).toBe(300)
  expect(questions.slice(0, 2)).toEqual(['what flies', 'what swims'])
  const text = words.join(' ')
  for (const question of questions.slice(2)) {
    expect(text).toContain(question)
    expect(question.split(' ').length).toBeGreaterThanOrEqual(6)
    expect(question.split(' ').length).toBeLessThanOrEqual(20)
  }
})

test('the same documents give the same questions', () => {
  expect(questionsOf([], documents, 50)).toEqual(questionsOf([], documents, 50))
})

test('a collection without so many spans gives fewer questions', () => {
  const short = [{ number: '1', text: words.slice(0, 7).join(' ') }]
  expect(questionsOf([], short, 100).toSorted()).toEqual(
    [words.slice(0, 6), words.slice(0, 7), words.slice(1, 7)].map((span) => span.join(' ')),
  )
  expect(questionsOf([], [{ number: '1', text: 'x'.repeat(2000) }], 100)).toEqual([])
})

const measuredAt = (side: string, clients: number, rate: number, p50: number): Measured => ({
  side,
  clients,
  speed: { rate, p50, p95: p50, p99: p50 },
})

const measured = [
  measuredAt('service, vector', 1, 500, 3),
  measuredAt('service, vector', 64, 1000, 60),
  measuredAt('service, vector', 128, 1200, 110),
  measuredAt('service, hybrid', 64, 300, 200),
  measuredAt('Chroma', 64, 600, 100),
  measuredAt('Chroma', 128, 400, 300),
  measuredAt('LanceDB in-process', 1, 500, 2),
  measuredAt('LanceDB in-process', 16, 800, 20),
]

test('ratios compare each at the better of 64 and 128 clients, and one client by its median', () => {
  expect(ratiosOf(measured).map(({ value }) => value)).toEqual([2, 0.5, 1.5, 1.5])
  expect(ratiosOf(measured.slice(0, 1)).every(({ value }) => Number.isNaN(value))).toBe(true)
})

test('the plot has a line for every side in both panels, and names them', () => {
  const plot = plotOf(measured, 'on <this> machine')
  expect(plot.match(/<path /g)).toHaveLength(8)
  expect(plot).not.toContain('NaN')
  expect(plot).not.toContain('undefined')
  for (const text of [
    'LanceDB in-process',
    'queries/s',
    'ms',
    'clients',
    'on &lt;this&gt; machine',
  ]) {
    expect(plot).toContain(text)
  }
})
