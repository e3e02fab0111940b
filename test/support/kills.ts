import { watchedClient } from './answers.ts'
import { runLoad } from './load.ts'
import type { WriteHistory } from './write-history.ts'
import type { Random } from './random.ts'
import type { ServerProcess } from './server-process.ts'

/** A kill some milliseconds after an answer arrived, or at once, before its client has read it. */
export type Kill = { answers: number; pause: number }

/**
 * Writes until the server is dead, by this kill or another that comes first.
 * @returns whether it was another
 */
export async function writeUntilKilled(
  server: ServerProcess,
  history: WriteHistory,
  random: Random,
  { answers, pause }: Kill,
): Promise<boolean> {
  const kill = () => void server.process.kill('SIGKILL')
  let left = answers
  const client = watchedClient(server.url, () => {
    if (--left > 0) return
    if (pause === 0) kill()
    else setTimeout(kill, pause)
  })
  try {
    await runLoad(client, history, random)
  } finally {
    await server.kill('SIGKILL')
  }
  return left > 0
}
