import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { serverSettings } from '../../src/config/config.ts'
import { root } from '../support/contract.ts'
import { contextNames, stages } from './dockerfile.ts'
import { deployed } from './proxy.ts'

type Service = {
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  volumes: string[]
}
const parsed = (file: string) => parse(readFileSync(deployed(file), 'utf8'), { merge: true })
const { services, volumes } = parsed('compose.yaml') as {
  services: Record<'service' | 'caddy', Service>
  volumes: Record<string, null>
}
const last = stages().at(-1)!.steps
const valueOf = (name: string): string => last.find((step) => step.name === name)?.rest ?? ''

test('the Dockerfile copies what is there, runs a file that is copied, and ends as a user other than root', () => {
  for (const name of contextNames()) expect(existsSync(join(root, name)), name).toBe(true)
  const command: string[] = JSON.parse(valueOf('CMD'))
  const files = command.filter((word) => word.includes('/'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    expect(existsSync(join(root, file)), file).toBe(true)
    expect(contextNames()).toContain(file.split('/').find((name) => name !== '.'))
  }
  // /playground offers these documents.
  expect(contextNames()).toContain('page/sample')
  expect(valueOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
})

test('compose.yaml builds this Dockerfile, keeps its volume, and leads Caddy to its port', () => {
  const { service, caddy } = services
  const context = resolve(dirname(deployed('compose.yaml')), service.build!.context)
  expect(join(context, service.build!.dockerfile)).toBe(deployed('Dockerfile'))
  expect(caddy.environment.SERVICE).toBe(`service:${valueOf('EXPOSE')}`)
  expect(Object.keys(volumes)).toEqual(['data', 'certificates'])
  expect(service.volumes).toEqual([`data:${valueOf('VOLUME')}`])
  const set = Object.keys(service.environment)
  expect(serverSettings).toEqual(expect.arrayContaining(set))
  const [file = ''] = caddy.volumes
  expect(existsSync(deployed(file.split(':')[0]!))).toBe(true)
})

test('a PORT or HOST among the settings of deploy/.env does not part the service from Caddy', () => {
  const { services: several } = parsed('servers.compose.yaml') as {
    services: Record<string, Service>
  }
  const servers = [services.service, ...['1', '2', '3'].map((n) => several[`server-${n}`]!)]
  for (const { environment } of servers) {
    expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: valueOf('EXPOSE') })
  }
})

test('the files of deploy/ set only settings that there are', () => {
  const unit = readFileSync(deployed('agents-datastores.service'), 'utf8')
  const ofUnit = Array.from(unit.matchAll(/^Environment=(\w+)=/gm), ([, name]) => name)
  const ofImage = valueOf('ENV')
    .split(' ')
    .map((pair) => pair.split('=')[0])
  const others = ['NODE_COMPILE_CACHE']
  expect([...serverSettings, ...others]).toEqual(expect.arrayContaining([...ofUnit, ...ofImage]))
})
