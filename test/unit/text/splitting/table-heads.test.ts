import { expect, test } from 'vitest'
import { TableHeads } from '../../../../src/text/splitting/table-heads.ts'
import { isOpenBehind, withoutQuotes } from '../../../../src/text/table-lines.ts'

test('a table has a head where it goes on, and none where the head stands itself', () => {
  const head = '| Fruit | Price |\n| --- | --- |'
  const text = `Prices.\n\n${head}\n| Plum | 3 |\n| Quince | 4 |\n`
  const heads = new TableHeads(text)
  const places = ['| Fruit', '| --- |', '| Plum', '| Quince'].map((line) => text.indexOf(line))
  const found = places.map((place) => heads.at(place))
  const whole = { start: places[0], end: places[0]! + head.length }
  expect(found).toEqual([undefined, undefined, whole, whole])
})

test('the line that Excel writes above a CSV is no part of its head', () => {
  const head = 'Town;Ferry;Departs'
  const text = `sep=;\r\n${head}\r\nEmden;Nordstern;7:15\r\nHarle;Wave;9:05`
  const found = new TableHeads(text).at(text.indexOf('Harle'))
  expect(text.slice(found?.start, found?.end)).toBe(`${head}\r`)
})

test('the head of a table may be the last of millions of comments above it', () => {
  const comments = '#\n'.repeat(4_100_000)
  const text = `${comments}#code\tname\tzone\nDE\tPlum\t1\nNO\tQuince\t2\nFR\tPear\t3\n`
  const found = new TableHeads(text).at(text.indexOf('FR'))
  expect(text.slice(found?.start, found?.end)).toBe('#code\tname\tzone')
})

test('tabs before a quotation mark are each looked at once', () => {
  const tabs = '\t'.repeat(1_000_000)
  expect(withoutQuotes(`a,${tabs}x"b`)).toBe(`a,${tabs}x"b`)
  expect(withoutQuotes('a,\t"b"\t \t "c;d"\t"e"')).toBe('a,\t_\t \t _\t_')
  expect(isOpenBehind(`a,${tabs}x"b`, false)).toBe(false)
  expect(isOpenBehind('a,\t \t "b', false)).toBe(true)
})
