import { afterEach, expect, test } from 'vitest'
import { checkHistory } from '../support/check-history.ts'
import { type Kill, writeUntilKilled } from '../support/kills.ts'
import { WriteHistory } from '../support/write-history.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { Random, roundsFor } from '../support/random.ts'
import { temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { canTrace, killAtCall, tracedTo } from '../support/strace.ts'

const { rounds, seed } = roundsFor('CRASH', 1)
const roundMilliseconds = 120_000

const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL')
})

const provider = await Provider.start()

/** Where a kill is to come; what it is given is prepared before anything is written. */
type Point = (server: ServerProcess, random: Random) => Promise<Kill> | Kill

/** Where another kill does not come before. */
const late: Kill = { answers: 120, pause: 0 }

const atCall =
  (calls: string, most: number): Point =>
  async (server, random) => {
    await killAtCall(server.process.pid!, { calls, n: 1 + random.below(most) })
    return late
  }

const atEmbedding =
  (isAnswered: boolean): Point =>
  (server, random) => {
    let calls = 1 + random.below(30)
    provider.behaviour = (call, response) => {
      if (isAnswered || calls > 1) sendJson(response, 200, recorded(call))
      if (--calls === 0) server.process.kill('SIGKILL')
    }
    return late
  }

const points: Record<string, Point> = {
  'at any moment': (_, random) => ({ answers: 1 + random.below(200), pause: 1 + random.below(30) }),
  'while the provider embeds': atEmbedding(false),
  'as an answer arrives': (_, random) => ({ answers: 1 + random.below(200), pause: 0 }),
  ...(canTrace && {
    'before a commit': atCall('link,linkat', 8),
    'before a file is synced': atCall('fsync', 20),
  }),
  'as the provider has embedded': atEmbedding(true),
  ...(canTrace && {
    'before a file has its name': atCall('rename,renameat', 12),
    // The first of these is that of a commit's temporary name, just after the commit.
    'before a file is deleted': atCall('unlink,unlinkat', 15),
    'before a directory is made': atCall('mkdir,mkdirat', 4),
    'before something is written': atCall('write,writev', 80),
    'as it starts': async (server, random) => {
      await server.kill('SIGKILL')
      const killAt = { calls: 'fsync,link,linkat,rename,renameat,unlink', n: 1 + random.below(25) }
      const again = await start(tracedTo('/dev/null', killAt)).catch(() => undefined)
      await again?.kill('SIGKILL')
      return late
    },
  }),
}
const names = Object.keys(points)

const directory = await temporaryDirectory()

async function start(under: string[] = []): Promise<ServerProcess> {
  const { model, baseUrl } = provider.settings
  const settings = {
    DATA_URI: directory,
    INITIAL_KEY: testKey,
    EMBEDDING_MODEL: model,
    OPENAI_BASE_URL: baseUrl,
  }
  const server = await spawnServer(settings, { wrapper: under })
  started.push(server)
  return server
}

test(
  `${rounds} kills on one directory: nothing acknowledged is lost, and no document is half there`,
  { tags: 'deep', timeout: (rounds + 1) * roundMilliseconds },
  async () => {
    const history = new WriteHistory()
    const missed: string[] = []
    for (let round = 0; round <= rounds; round++) {
      const random = new Random(seed + round)
      const name = names[round % names.length]!
      const before = `before kill ${round + 1}, ${name}`
      const server = await start()
      const faults: string[] = []
      await checkHistory(server.url, history, faults)
      expect(faults, before).toEqual([])
      const kill = await points[name]!(server, random)
      const wasEarly = await writeUntilKilled(server, history, random, kill)
      provider.behaviour = undefined
      if (kill === late && !wasEarly) missed.push(name)
    }
    // A point that comes late now and then is no loss; one that never comes tests nothing.
    expect(missed.length, String(missed)).toBeLessThan(Math.max(2, rounds / 4))
  },
)
