import { parseArgs } from 'node:util'

export type Arguments = {
  folder: string
  fragments: number
  small: number
  /**
   * How long each load is. 512 clients take a second to connect and to be refused once, in which hardly
   * any is answered: where a load was 4 seconds, that was half of what they seemed to lose.
   */
  seconds: number
  /**
   * How often each load is measured. Five of 16 clients, in turns with others, gave 191 to 478 answers a
   * second, and the best median of fewer clients is what 512 are held against: of three it was often a
   * lucky one.
   */
  rounds: number
  building: number
  tries: number
  /** Whether the processors are kept from sleeping. */
  awake: boolean
}

export const usage =
  'Usage: npm run bench:scale -- DIR [--fragments 100000] [--small 20000] [--seconds 10] [--rounds 5] [--building 90] [--tries 3] [--awake]'

/** What the command line asks for, or undefined where it cannot be understood. */
export function readArguments(args: string[]): Arguments | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      fragments: { type: 'string', default: '100000' },
      small: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '5' },
      building: { type: 'string', default: '90' },
      tries: { type: 'string', default: '3' },
      awake: { type: 'boolean', default: false },
    },
  })
  const [folder, ...more] = positionals
  const numbers = {
    fragments: Number(values.fragments),
    small: Number(values.small),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    building: Number(values.building),
    tries: Number(values.tries),
  }
  const { fragments, small, seconds, rounds, building, tries } = numbers
  const isWhole = [fragments, small, rounds, tries].every((n) => Number.isSafeInteger(n) && n > 0)
  const isTime = seconds > 0 && building > 0
  return folder !== undefined && more.length === 0 && isWhole && isTime
    ? { folder, ...numbers, awake: values.awake }
    : undefined
}
