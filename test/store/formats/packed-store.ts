import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import {
  checkedClient,
  openServer,
  temporaryDirectory,
  type TestServer,
} from '../../support/server.ts'
import { contentsOf, type Holder } from './contents.ts'

type Contents = { documents: Record<string, object[]> }

/** A small store of an older format, and what it held; documents without a key have `key: null`. */
export function packedStore(format: number) {
  const path = `${import.meta.dirname}/${format}`
  const { holders, contents } = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as {
    holders: [Holder, Holder]
    contents: Contents[]
  }
  return {
    holders,
    contents: contents.map(withKeys),
    contentsOn: ({ url }: TestServer) => contentsOf(holders, (key) => checkedClient(url, key)),
    /** Unpacks it in a new directory. */
    unpack: async (): Promise<string> => {
      const directory = await temporaryDirectory()
      execFileSync('tar', ['-xzf', `${path}.tar.gz`, '-C', directory])
      return directory
    },
  }
}

const withKeys = ({ documents, ...held }: Contents) => ({
  ...held,
  documents: Object.fromEntries(
    Object.entries(documents).map(([id, all]) => [id, all.map((one) => ({ key: null, ...one }))]),
  ),
})

/** Starts on a store and stops again, with what `work` finds meanwhile and what was logged. */
export async function startOn<T>(
  dataUri: string,
  work: (server: TestServer) => Promise<T>,
): Promise<{ found: T; logged: string }> {
  const server = await openServer({ dataUri })
  try {
    return { found: await work(server), logged: JSON.stringify(server.logged) }
  } finally {
    await server.close()
  }
}
