import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../support/contract.ts'

export type Arguments = {
  folder: string
  fragments: number
  seconds: number
  rounds: number
  clients: number[]
  plot: string
  /** Whether the processors are kept from sleeping. */
  awake: boolean
}

export const usage =
  'Usage: npm run bench:query -- DIR [--fragments 20000] [--seconds 4] [--rounds 3] [--clients 1,16,64,128] [--plot FILE.svg] [--awake]'

/** What the command line asks for, or undefined where it cannot be understood. */
export function readArguments(args: string[]): Arguments | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      fragments: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      clients: { type: 'string', default: '1,16,64,128' },
      plot: { type: 'string', default: join(root, 'test-output/query.svg') },
      awake: { type: 'boolean', default: false },
    },
  })
  const [folder, ...more] = positionals
  const [fragments, seconds, rounds] = [values.fragments, values.seconds, values.rounds].map(Number)
  const clients = values.clients.split(',').map(Number)
  const isWhole = [fragments!, rounds!, ...clients].every((n) => Number.isSafeInteger(n) && n > 0)
  if (folder === undefined || more.length > 0 || !isWhole || !(seconds! > 0)) return undefined
  const numbers = { fragments: fragments!, seconds: seconds!, rounds: rounds!, clients }
  return { folder, ...numbers, plot: values.plot, awake: values.awake }
}
