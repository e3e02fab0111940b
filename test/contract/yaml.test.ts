import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { document, root } from '../support/contract.ts'
import { yamlFaults } from '../support/yaml.ts'

const file = join(root, 'openapi.yaml')
const text = await readFile(file, 'utf8')
const run = promisify(execFile)

test('parsers of YAML 1.1 and 1.2 read the same', () => {
  expect(yamlFaults(text)).toEqual([])
  expect(parse(text, { version: '1.1' })).toEqual(document)
  expect(parse(text, { schema: 'failsafe' })).toMatchObject({ openapi: '3.1.0' })
})

const python = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
const hasPyYaml = await run('python3', ['-c', 'import yaml']).then(
  () => true,
  () => false,
)

test.runIf(hasPyYaml)('so does PyYAML', { tags: 'deep' }, async () => {
  const { stdout } = await run('python3', ['-c', python, file], { maxBuffer: 2 ** 26 })
  expect(JSON.parse(stdout)).toEqual(document)
})

test.each([
  'a: { query: When does it open? }',
  'a: { query: When?, mode: vector }',
  'a: [agents:write]',
  'a: { b: see #1 }',
  'a: no',
  'a: [y, n]',
  'a: 2026-11-21',
  'a: 2026-11-21T09:30:00.000Z',
  'a: 012',
  'a: 1_000',
  'a: 1:30',
  'a: 12e03',
  'a: 0x1F',
  'on: push',
])('a text that they read differently is found: %s', (fault) => {
  expect(yamlFaults(fault)).not.toEqual([])
})
