import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../support/server.ts'
import { type ObjectStore, openAzurite } from './azurite.ts'
import { modules, startStore } from './process.ts'

/** Azurite with an empty container. It ends with the test. */
export async function startAzurite(): Promise<ObjectStore> {
  const { settings, end } = await openAzurite(await temporaryDirectory())
  onTestFinished(end)
  return { settings }
}

/** A bucket of a server that speaks S3 but ignores the conditions of writes. */
export async function startS3rver(): Promise<ObjectStore> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'bucket'))
  const { port, end } = await startStore((free) => [
    join(modules, '.bin/s3rver'),
    ...['--address', '127.0.0.1', '--port', free, '--silent'],
    ...['--directory', directory],
  ])
  onTestFinished(end)
  return {
    settings: {
      DATA_URI: 's3://bucket/store',
      AWS_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ALLOW_HTTP: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  }
}
