import { tableNameOf } from '../../src/store/fragments/fragments.ts'
import { toTable } from '../../src/store/fragments/rows.ts'
import { documentVersion } from './document-version.ts'
import { Random } from './random.ts'
import { openDatabase, openServer, temporaryDirectory } from './server.ts'
import { makeDatastore, upsert } from './things.ts'

const [rowsADocument, dimensions] = [2_000, 1_024]

/** A document of many fragments, whose words and vectors are drawn. */
function largeDocument(number: number) {
  const random = new Random(number)
  const version = documentVersion(`document-${number}`)
  const fragment = () => ({
    ...version.fragments[0]!,
    words: Buffer.from(`text word${random.below(5_000)}`),
    vector: Float32Array.from({ length: dimensions }, () => random.below(1_000) - 500),
  })
  return { ...version, fragments: Array.from({ length: rowsADocument }, fragment) }
}

/** A store with a datastore of these texts, and what adds some of so many rows to its table. */
export async function largeStore(texts: string[], rows: number) {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const id = await makeDatastore(client)
  await upsert(client, id, ...texts)
  await close()
  const database = await openDatabase(dataUri)
  const table = (await database.openTable(tableNameOf(id)))!
  const add = async (number: number) => {
    const added = toTable([largeDocument(number)])
    await table.commit(rowsADocument, async (lance) => void (await lance.add(added)))
  }
  const count = Math.ceil(rows / rowsADocument)
  for (let number = 1; number < count; number++) await add(number)
  return { dataUri, id, database, table, addLast: () => add(count) }
}
