import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { drive } from './drive.ts'
import { callOf } from './hey-api-call.ts'

/** Every operation of Prism's mock, which refuses what the document does not allow; zod checks its answers. */
const args = ['node_modules/.bin/prism', 'mock', '--errors', '--port', '0', 'openapi.json']
const prism = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
const url = await new Promise<string>((resolve) => {
  // It is read to its end, for a full pipe would stop Prism.
  createInterface(prism.stdout).on('line', (line) => {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address) resolve(address)
  })
})
// It takes every part of a form for text.
await drive(callOf(url), { mock: true, form: {} }).finally(() => prism.kill())
