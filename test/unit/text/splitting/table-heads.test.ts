import { expect, test } from 'vitest'
import { TableHeads } from '../../../../src/text/splitting/table-heads.ts'
import { cellsOf, isOpenBehind, withoutQuotes } from '../../../../src/text/table-lines.ts'

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

test.each([
  ['Ticket;Kunde;Text', '5;Kunde 5;"Hallo,\n\nder Drucker 12 geht nicht.\n\nGruß"'],
  ['Anschrift;Name;Stadt', '"Hauptstraße 3\n\nHinterhaus";Meier;Köln'],
])('a blank line in a cell ends no table: %s', (head, row) => {
  const rows = (from: number) => [1, 2, 3].map((n) => `${from + n};Kunde;Text`).join('\n')
  const text = `${head}\n${rows(0)}\n${row}\n${rows(10)}\n${rows(20)}\n\nProse ends it.\nHere.`
  const heads = new TableHeads(text)
  const found = ['11;', '23;', 'Here'].map((line) => heads.at(text.indexOf(line)))
  const whole = { start: 0, end: head.length }
  expect(found).toEqual([whole, whole, undefined])
})

test('a quotation mark that never closes ends with its paragraph', () => {
  const table = 'Town;Ferry;Sea\nEmden;1;North\nHarle;2;North\n'
  const open = `Town;Ferry;Sea\nLeer;1;North\nJuist;2;North\n"Emden;1;North\n`
  const text = `${open}\n${'Prose.\n\n'.repeat(4_000)}${table}`
  const heads = new TableHeads(text)
  const found = heads.at(text.lastIndexOf('Harle'))
  expect(text.slice(found?.start, found?.end)).toBe('Town;Ferry;Sea')
  expect(found?.start).toBeGreaterThan(0)
})

test('a decimal comma parts no cells, nor does what is in quotation marks', () => {
  expect(cellsOf('Apfel;1,20;2,30;3,40')).toEqual(['Apfel', '1,20', '2,30', '3,40'])
  const names = '"Müller, Hans";"Berlin, Mitte";"3,5"'
  expect(cellsOf(names)).toEqual(['Müller, Hans', 'Berlin, Mitte', '3,5'])
  expect(cellsOf('1,2,3,"a;b"')).toEqual(['1', '2', '3', 'a;b'])
  expect(cellsOf('| a | b,c |')).toEqual(['', 'a', 'b,c', ''])
})

test('tabs before a quotation mark are each looked at once', () => {
  const tabs = '\t'.repeat(1_000_000)
  expect(withoutQuotes(`a,${tabs}x"b`)).toBe(`a,${tabs}x"b`)
  expect(withoutQuotes('a,\t"b"\t \t "c;d"\t"e"')).toBe('a,\t_\t \t _\t_')
  expect(isOpenBehind(`a,${tabs}x"b`, false)).toBe(false)
  expect(isOpenBehind('a,\t \t "b', false)).toBe(true)
})
