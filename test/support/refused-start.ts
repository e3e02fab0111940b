import { StartupError } from '../../src/errors/errors.ts'
import { serve } from '../../src/service/serve.ts'
import { testKey } from './server.ts'

const ends = {
  signals: { setHandler: () => undefined },
  unhandledErrors: { setLogger: () => undefined, setStop: () => undefined },
} as unknown as Parameters<typeof serve>[2]

/** Why a server does not start with these settings, in this process. @throws where it starts */
export async function refusalOf(settings: NodeJS.ProcessEnv): Promise<string> {
  const env = { PORT: '0', INITIAL_KEY: testKey, LOG_LEVEL: 'silent', ...settings }
  const error: unknown = await serve(env, {}, ends).then(
    () => undefined,
    (refused: unknown) => refused,
  )
  if (error instanceof StartupError) return error.message
  throw error ?? new Error('It started.')
}
