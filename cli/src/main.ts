#!/usr/bin/env node
import { createRequire } from 'node:module'
import { runProgram, makeProgram } from './program.ts'
import { run } from './run.ts'
import { defaultUrl } from './settings.ts'

const packageJson = createRequire(import.meta.url)('agents-datastores-cli/package.json')
const { version } = packageJson as { version: string }

await run(() => {
  const program = makeProgram({ version, url: process.env.SERVICE_URL || defaultUrl })
  return runProgram(program, process.argv.slice(2))
})
