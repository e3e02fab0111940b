import { expect, onTestFinished, test } from 'vitest'
import { seedFor } from '../support/random.ts'
import { makeCallers } from './callers.ts'
import { Campaign } from './campaign.ts'
import { reportOf } from './findings.ts'
import { FuzzServer } from './fuzz-server.ts'
import { World } from './world.ts'

const { FUZZ_REQUESTS } = process.env
const requests = Number(FUZZ_REQUESTS ?? 300)
const isDeep = FUZZ_REQUESTS !== undefined
const seed = seedFor('FUZZ', isDeep)
/** It only ends what hangs. */
const timeout = 120_000 + requests * 1_000

test(
  `no request ends the server, or is answered otherwise than the contract says: ${requests} requests`,
  async () => {
    const server = await FuzzServer.start()
    onTestFinished(() => server.kill())
    const callers = await makeCallers(server.url, server.initialKey)
    server.secrets.markers.push(...callers.full.map(({ workspace }) => workspace.marker))
    const campaign = new Campaign(server, new World(callers), seed)
    const { findings } = campaign
    await campaign.run(requests, (sent) => {
      console.log([`${sent} requests`, ...findings.all.map(({ kind }) => kind)].join('\n  '))
    })
    if (isDeep) console.log(countsOf(campaign))
    expect(findings.all.length, reportOf(findings.all, seed)).toBe(0)
    expect(await server.stop()).toBe(0)
  },
  timeout,
)

const countsOf = ({ counts }: Campaign): string =>
  [...counts]
    .map(([name, count]) => `${name}: ${count}`)
    .toSorted()
    .join('\n')
