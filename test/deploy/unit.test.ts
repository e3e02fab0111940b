import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/contract.ts'
import { hasTool } from '../support/operator-tools.ts'
import { temporaryDirectory } from '../support/server.ts'
import { deployed } from './proxy.ts'

const name = 'agents-datastores.service'

/** The unit as on a machine where the service is in this checkout. */
async function installed(): Promise<string> {
  const unit = await readFile(deployed(name), 'utf8')
  const file = join(await temporaryDirectory(), name)
  await writeFile(file, unit.replaceAll('/opt/agents-datastores', root))
  return file
}

function analyze(...args: string[]): { status: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, told: stdout + stderr }
}

test.runIf(hasTool('systemd-analyze'))(
  'systemd finds no fault in the unit, nor much that the service could reach',
  async () => {
    const file = await installed()
    const verified = analyze('verify', '--man=no', file)
    // It may find faults in other units of the machine.
    const told = verified.told.split('\n').filter((line) => line.includes(name))
    expect([verified.status, told]).toEqual([0, []])
    const exposure = analyze('security', '--offline=yes', '--threshold=25', file)
    expect(exposure.status, exposure.told).toBe(0)
  },
)
