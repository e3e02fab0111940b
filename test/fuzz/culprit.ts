import type { FuzzServer } from './fuzz-server.ts'
import { sendRaw } from './send-raw.ts'
import { Sender } from './send.ts'
import type { Answer, Case } from './wire.ts'

export type Sent = { index: number; one: Case }

/** Sends a request over a connection of its own, if it is not given one. */
export async function ask(url: string, one: Case, sender?: Sender): Promise<Answer[]> {
  if ('bytes' in one) return sendRaw(url, one.bytes)
  if (sender) return [await sender.send(one.wire)]
  const own = new Sender(url, 1)
  try {
    return [await own.send(one.wire)]
  } finally {
    await own.close()
  }
}

/** Which of the requests ends the server, each sent alone; the server runs again afterwards. */
export async function findCulprit(server: FuzzServer, suspects: Sent[]): Promise<Sent | undefined> {
  await server.restart()
  for (const suspect of suspects) {
    await ask(server.url, suspect.one).catch(() => undefined)
    if (await server.isAlive()) continue
    await server.restart()
    return suspect
  }
  return undefined
}
