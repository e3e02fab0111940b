import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { openAzurite } from '../../peers/stores/azurite.ts'
import { installStores } from '../../peers/stores/process.ts'
import { temporaryDirectory } from '../../support/server.ts'

/** Where one run has its store. */
export type Place = { dataUri: string; clear: () => Promise<void> }

export async function directory(): Promise<Place> {
  const dataUri = await temporaryDirectory()
  return { dataUri, clear: () => rm(dataUri, { recursive: true, force: true, maxRetries: 20 }) }
}

/** Places in one container of Azurite, which ends with the test. */
export async function onAzurite(): Promise<() => Promise<Place>> {
  await installStores()
  const { settings, end } = await openAzurite(await temporaryDirectory())
  onTestFinished(end)
  const { DATA_URI, ...account } = settings
  // LanceDB reads them from the environment.
  Object.assign(process.env, account)
  let count = 0
  return async () => ({ dataUri: `${DATA_URI}-${count++}`, clear: async () => undefined })
}
