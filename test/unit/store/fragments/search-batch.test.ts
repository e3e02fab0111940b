import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Deadline } from '../../../../src/process/deadline.ts'
import { SearchBatch } from '../../../../src/store/fragments/search-batch.ts'

type Query = { kind: string; name: string }

const query = (name: string, kind = 'any'): Query => ({ kind, name })

/** Searches that note what goes together, answer with the name, and wait until they are let go. */
function noting({ turn = (search: () => Promise<void>) => search(), hasRoom = true } = {}) {
  const searches: string[][] = []
  let held = Promise.resolve()
  const batch = new SearchBatch<Query, string>(
    async (queries) => {
      searches.push(queries.map(({ name }) => name))
      await held
      if (queries.some(({ name }) => name === 'bad')) throw new Error('no')
      return queries.map(({ name }) => `found ${name}`)
    },
    turn,
    () => hasRoom,
  )
  const run = (one: Query, deadline = new Deadline(60)) => batch.find(one, deadline)
  return { run, searches, hold: (until: Promise<void>) => void (held = until) }
}

test('a query that comes alone goes at once, and those that come meanwhile go together', async () => {
  const { run, searches, hold } = noting()
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const names = Array.from({ length: 30 }, (_, n) => String(n))
  const answers = names.map((name) => run(query(name)))
  await expect.poll(() => searches).toEqual([['0']])
  resolve()
  expect(await Promise.all(answers)).toEqual(names.map((name) => `found ${name}`))
  expect(searches.map(({ length }) => length)).toEqual([1, 29])
  expect(await run(query('later'))).toBe('found later')
})

test('a full search goes beside one that runs, and waits for two', async () => {
  const { run, searches, hold } = noting()
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const names = Array.from({ length: 80 }, (_, n) => String(n))
  const answers = names.slice(0, 32).map((name) => run(query(name)))
  await expect.poll(() => searches.length).toBe(1)
  answers.push(run(query('32')))
  await expect.poll(() => searches.map(({ length }) => length)).toEqual([1, 32])
  answers.push(...names.slice(33).map((name) => run(query(name))))
  await setImmediate()
  expect(searches).toHaveLength(2)
  resolve()
  expect(await Promise.all(answers)).toEqual(names.map((name) => `found ${name}`))
  expect(searches.map(({ length }) => length)).toEqual([1, 32, 32, 15])
})

test('other work has its turn between the answers of a search', async () => {
  const { run, searches } = noting()
  const order: string[] = []
  const answers = Array.from({ length: 33 }, async (_, n) => {
    await run(query(String(n)))
    if (order.length === 1) void setImmediate().then(() => order.push('else'))
    order.push('answer')
  })
  await Promise.all(answers)
  expect(searches.map(({ length }) => length)).toEqual([1, 32])
  // After one alone and, as it comes between two turns of four, the first eight of 32.
  expect(order.indexOf('else')).toBe(9)
  expect(order).toHaveLength(34)
})

test('no second search goes where there is no room for it', async () => {
  const { run, searches } = noting({ hasRoom: false })
  const names = Array.from({ length: 40 }, (_, n) => String(n))
  const answers = names.map((name) => run(query(name)))
  expect(searches).toEqual([['0']])
  await Promise.all(answers)
  expect(searches.map(({ length }) => length)).toEqual([1, 32, 7])
})

test('queries that a waiting search takes along ask for no second one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let turns = 0
  const turn = async (search: () => Promise<void>) => {
    turns += 1
    await promise
    await search()
  }
  const { run, searches } = noting({ turn })
  const names = Array.from({ length: 64 }, (_, n) => String(n))
  const answers = names.slice(0, 63).map((name) => run(query(name)))
  expect(turns).toBe(1)
  answers.push(run(query('63')))
  expect(turns).toBe(2)
  resolve()
  await Promise.all(answers)
  expect(searches.map(({ length }) => length)).toEqual([32, 32])
})

test('only queries of one kind go together, the first that came first', async () => {
  const { run, searches } = noting({ hasRoom: false })
  await Promise.all([
    run(query('first')),
    run(query('a1', 'a')),
    run(query('b1', 'b')),
    run(query('a2', 'a')),
    run(query('b2', 'b')),
  ])
  expect(searches).toEqual([['first'], ['a1', 'a2'], ['b1', 'b2']])
})

test('queries of other kinds do not wait for each other, as far as four are searched at once', async () => {
  const { run, searches, hold } = noting()
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f']
  const answers = [1, 2].flatMap((n) => kinds.map((kind) => run(query(`${kind}${n}`, kind))))
  await expect.poll(() => searches.flat()).toEqual(['a1', 'b1', 'c1', 'd1'])
  resolve()
  await Promise.all(answers)
  // As each has its turn, those that came meanwhile go with their like.
  expect(
    searches
      .slice(4)
      .map((names) => names.join(' '))
      .toSorted(),
  ).toEqual(['a2', 'b2', 'c2', 'd2', 'e1 e2', 'f1 f2'])
})

test('a kind that many ask for leaves the others their turn', async () => {
  const { run, searches } = noting({ hasRoom: false })
  const many = Array.from({ length: 80 }, (_, n) => run(query(String(n))))
  await Promise.all([...many, run(query('a', 'a'))])
  expect(searches.map(({ length }) => length)).toEqual([1, 32, 1, 32, 15])
})

test('a query that fails fails alone', async () => {
  const { run, searches } = noting()
  const answers = ['first', 'a', 'bad', 'b'].map((name) => run(query(name)))
  const outcomes = await Promise.allSettled(answers)
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(searches).toEqual([['first'], ['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
  expect(await run(query('later'))).toBe('found later')
})

test('a request that has no time left is not searched for', async () => {
  const { run, searches } = noting()
  const late = new Deadline(0.001)
  late.start()
  await expect.poll(() => late.signal.aborted).toBe(true)
  const first = run(query('first'))
  await expect(run(query('late'), late)).rejects.toMatchObject({ code: 'request_timeout' })
  expect(await first).toBe('found first')
  expect(searches).toEqual([['first']])
})

test('a request whose time ends in a search that fails is not searched for again', async () => {
  const { run, searches, hold } = noting()
  const { promise, resolve } = Promise.withResolvers<void>()
  const brief = new Deadline(0.02)
  const first = run(query('first'))
  hold(promise)
  const answers = [run(query('bad')), run(query('late'), brief), run(query('good'))]
  const outcomes = Promise.allSettled(answers)
  brief.start()
  await expect.poll(() => brief.signal.aborted).toBe(true)
  resolve()
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
  ])
  await first
  expect(searches).toEqual([['first'], ['bad', 'late', 'good'], ['bad'], ['good']])
})
