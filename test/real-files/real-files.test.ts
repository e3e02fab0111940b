import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { type Compared, compare } from './compared.ts'
import { otherText } from './other-tools.ts'
import { type RealFile, realFiles } from './packages.ts'

const count = Number(process.env.REAL_FILES)

/** Spread evenly over all kinds. */
const drawn = (files: RealFile[]): RealFile[] =>
  files.filter((_, index) => (index * count) % files.length < count)

const mean = (numbers: number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

describe.runIf(count > 0)('files of Debian beside pdftotext, pandoc and w3m', () => {
  test('have the same words in the same order, and words that are apart are not glued', async () => {
    const { client } = await joinServer()
    const id = await makeDatastore(client)
    const directory = await temporaryDirectory()
    const all = new Map<string, Compared[]>()
    for (const file of drawn(realFiles(`${directory}/packages`))) {
      const theirs = otherText(file, directory)
      const ours = await textOf(file)
      if (theirs === undefined || ours === undefined) continue
      const compared = compare(ours, theirs)
      all.set(file.kind, [...(all.get(file.kind) ?? []), compared])
      const { found, inOrder, glued } = compared
      console.log(file.kind, found.toFixed(3), inOrder.toFixed(3), basename(file.path), ...glued)
    }
    for (const [kind, some] of all) {
      const found = mean(some.map((one) => one.found))
      const inOrder = mean(some.map((one) => one.inOrder))
      const glued = some.filter((one) => one.glued.length > 0).length
      console.log(`${some.length} ${kind}: ${found.toFixed(3)}, ${inOrder.toFixed(3)}, ${glued}`)
    }
    expect([...all.values()].flat().length).toBeGreaterThan(0.8 * count)
    const pdfs = all.get('pdf')!
    expect(mean(pdfs.map((one) => one.found))).toBeGreaterThanOrEqual(0.98)
    expect(mean(pdfs.map((one) => one.inOrder))).toBeGreaterThanOrEqual(0.95)
    const glued = [...all.values()].flat().filter((one) => one.glued.length > 0)
    expect(glued.length).toBeLessThanOrEqual(Math.ceil(count / 20))

    /** undefined where a file holds no text. */
    async function textOf({ path, bytes }: RealFile): Promise<string | undefined> {
      const name = basename(path).replace(/\.gz$/, '')
      const body = { file: new File([new Uint8Array(bytes)], name) }
      const { data, error } = await sdk.uploadFile({ client, path: { id }, body })
      if (error) {
        expect(error.code).toBe('no_text')
        return undefined
      }
      const one = { id, datasourceId: data.id }
      const { data: read } = await sdk.getDatasource({ client, path: one, throwOnError: true })
      await sdk.deleteDatasource({ client, path: one, throwOnError: true })
      return read.text
    }
  }, 3_600_000)
})
