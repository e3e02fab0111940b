import { expect, onTestFinished, test, vi } from 'vitest'
import { figureRows } from '../bench/figures.ts'
import { appearedIn } from '../bench/index-folders.ts'
import { leastDisturbed } from '../bench/least-disturbed.ts'
import { overloadFigures } from '../bench/overload.ts'
import { pacedLoad, type PacedReport, type Rhythm } from '../bench/paced-load.ts'
import { mebibytes } from '../bench/resident-memory.ts'
import { readArguments } from '../bench/scale-arguments.ts'
import type { Side } from '../bench/side.ts'
import { ticksIn } from '../bench/stolen-time.ts'
import type { Ask } from '../bench/timed-load.ts'
import { newUpserts } from '../bench/while-building.ts'
import { worstStretch } from '../bench/worst-stretch.ts'
import { reportOf } from './report-of.ts'

test('a figure stands beside its bound, and says where that does not hold', () => {
  const rows = figureRows([
    { name: 'free', value: 1.25 },
    { name: 'low', value: 3.01, digits: 2, atMost: 3 },
    { name: 'even', value: 3, digits: 0, atMost: 3 },
    { name: 'high', value: 299, digits: 0, atLeast: 300 },
    { name: 'unknown', value: NaN, atMost: 50 },
  ])
  expect(rows).toEqual([
    ['free', '1.3', '', ''],
    ['low', '3.01', '<= 3', 'no'],
    ['even', '3', '<= 3', ''],
    ['high', '299', '>= 300', 'no'],
    ['unknown', '-', '<= 50', ''],
  ])
})

test('the worst stretch is that of five seconds, which the rest does not dilute', () => {
  const times = [1, 1, 90, 1, 1, 1]
  expect(worstStretch(times, [0, 3000, 9000, 12_000, 20_000, 30_000])).toBe(90)
  expect(worstStretch([7], [400])).toBe(7)
  expect(worstStretch([], [])).toBeNaN()
  const slow = Array.from({ length: 500 }, (_, n) => (n >= 200 && n < 250 ? 40 : 2))
  const ends = slow.map((_, n) => n * 100)
  expect(worstStretch(slow, ends)).toBe(40)
})

/** On a clock that nothing moves but what is done. */
async function paced(rhythm: Rhythm, ask: Ask, wait = pause): Promise<PacedReport> {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const report = pacedLoad(rhythm, ask, wait)
  await vi.advanceTimersByTimeAsync(1_000)
  return report
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

test('what is paced goes by the clock, however long an answer takes', async () => {
  const asked: number[] = []
  const report = await paced({ seconds: 0.2, perSecond: 50 }, async (question) => {
    asked.push(performance.now())
    await pause(question === 0 ? 300 : 30)
    return question === 3 ? { kind: 'failure', what: '500' } : { kind: 'answer' }
  })
  expect(asked.map((at) => at - asked[0]!)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180])
  expect(report.failures).toEqual({ count: 1, first: '500' })
  // Nine of them, until the last was answered.
  expect(report.rate).toBeCloseTo(9 / 0.3, 9)
  expect(report.max).toBe(300)
})

test('what is paced counts its time from when it was due', async () => {
  const ask: Ask = async () => {
    await pause(30)
    return { kind: 'answer' }
  }
  const late = (milliseconds: number) => pause(milliseconds + 80)
  const report = await paced({ seconds: 0.1, perSecond: 20 }, ask, late)
  expect([report.p50, report.max]).toEqual([110, 110])
})

test('overload is compared with the best of fewer clients', () => {
  const side: Side = {
    name: 'one',
    clients: [],
    ask: async () => [],
    load: async () => reportOf(1),
  }
  const refused = (count: number, p99: number) => ({
    ...reportOf(70),
    refusals: { count, p50: 1, p99, max: p99 + 1, back: 2 * count, again: count },
  })
  const cells = [
    { side, clients: 64, reports: [90, 110, 100].map((rate) => reportOf(rate)) },
    { side, clients: 128, reports: [reportOf(80)] },
    { side, clients: 512, reports: [refused(3, 20), refused(0, NaN), refused(4, 60)] },
  ]
  const figures = new Map(overloadFigures(cells).map(({ name, value }) => [name, value]))
  expect(figures.get('512 clients / the best of fewer')).toBeCloseTo(0.7, 9)
  expect(figures.get('refusals, 512 clients')).toBe(7)
  expect(figures.get('share refused again, of who came back as told')).toBe(0.5)
  expect(figures.get('p99 ms of refusals')).toBe(60)
  expect(figures.get('longest refusal, ms')).toBe(61)
})

test('an index of all vectors is told from one of the new ones', () => {
  const before = new Map([
    ['words', { vectorBytes: undefined }],
    ['all', { vectorBytes: 100 }],
    ['some', { vectorBytes: 2 }],
  ])
  const seen = new Map([
    ...before,
    ['more words', { vectorBytes: undefined }],
    ['some more', { vectorBytes: 3 }],
    ['all anew', { vectorBytes: 110 }],
  ])
  expect(appearedIn(before, seen)).toEqual({ folders: 3, ofVectors: 2, ofAllVectors: 1 })
})

test('memory is read from the status of a process', () => {
  const status = 'Name:\tnode\nVmHWM:\t    4096 kB\nVmRSS:\t    2048 kB\n'
  expect(mebibytes(status, 'VmRSS')).toBe(2)
  expect(mebibytes(status, 'VmHWM')).toBe(4)
  expect(mebibytes('', 'VmRSS')).toBeNaN()
})

test('new documents are all different, in one run and in the next', () => {
  const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')
  const bodies = [0, 1].flatMap((run) => newUpserts([{ number: '1', text: words }], 2, run))
  const texts = bodies.flatMap((body) =>
    (JSON.parse(body) as { documents: { text: string }[] }).documents.map(({ text }) => text),
  )
  expect(texts.length / 4).toBeGreaterThan(300)
  expect(new Set(texts).size).toBe(texts.length)
})

test('the command line is understood whole or not at all', () => {
  expect(readArguments(['DIR', '--building', '1.5'])).toEqual({
    folder: 'DIR',
    fragments: 100_000,
    small: 20_000,
    seconds: 10,
    rounds: 5,
    building: 1.5,
    tries: 3,
    awake: false,
  })
  for (const wrong of [[], ['DIR', 'more'], ['DIR', '--small', '0.5'], ['DIR', '--seconds', 'x']]) {
    expect(readArguments(wrong)).toBeUndefined()
  }
})

test('what others had of the processors is told apart from what this machine had', () => {
  const status = 'cpu  100 2 30 4000 5 6 7 80 9 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n'
  expect(ticksIn(status)).toEqual({ busy: 145, stolen: 80 })
  expect(ticksIn('').stolen).toBeNaN()
})

test.each([
  [[0.05], 10],
  [[0.2, 0.01], 20],
  [[0.2, 0.1, 0.3], 20],
  [[NaN], 10],
])(
  'where others had %j of the time, it is measured so often, and %d ms are shown',
  async (shares, shown) => {
    let times = 0
    const measure = async () => [{ name: 'ms', value: (times += 1) * 10 }]
    const stolen = { takeFigure: () => ({ name: 'others', value: shares[times - 1] ?? NaN }) }
    expect(await leastDisturbed(3, measure, stolen)).toEqual([
      { name: 'ms', value: shown },
      { name: 'others', value: shares[shown / 10 - 1] },
      { name: 'times measured', value: shares.length, digits: 0 },
    ])
  },
)
