import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/contract.ts'
import { deployed } from './proxy.ts'

export type Instruction = { name: string; rest: string }
/** What stands from one FROM to the next. */
export type Stage = { name: string; steps: Instruction[] }

export function stages(): Stage[] {
  const text = readFileSync(deployed('Dockerfile'), 'utf8')
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const all: Stage[] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    if (name === 'FROM') all.push({ name: / AS (\S+)$/.exec(rest)?.[1] ?? '', steps: [] })
    else all.at(-1)!.steps.push({ name, rest })
  }
  return all
}

/** What Docker is given of a checkout: nothing but what `.dockerignore` lets in. */
export function contextNames(): string[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  const [all, ...names] = lines
  if (all !== '*' || !names.every((line) => /^![\w./-]+$/.test(line))) {
    throw new Error('.dockerignore leaves out all, and lets in paths.')
  }
  return names.map((line) => line.slice(1))
}
