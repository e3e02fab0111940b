import { expect, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Fragment, FragmentDetail } from '../../generated/types.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, query } from '../support/things.ts'
import { manualDocx, manualHtml, manualPdf, type Question, questions } from './manual.ts'

/** How many questions have the right fragment first. */
async function rightFirst(
  client: Client,
  bytes: Buffer,
  name: string,
  isRight: (found: Fragment, question: Question) => boolean,
): Promise<number> {
  const id = await makeDatastore(client)
  const body = { file: new File([new Uint8Array(bytes)], name) }
  await sdk.uploadFile({ client, path: { id }, body, throwOnError: true })
  let right = 0
  for (const question of questions) {
    const asked = { query: question.query, topK: 1, include: [FragmentDetail.SPAN] }
    const [found] = await query(client, id, asked)
    if (found && isRight(found, question)) right += 1
  }
  return right
}

test(
  '30 questions to a manual of 100 pages find as much in a PDF, by page, as in a DOCX and in HTML',
  { tags: 'deep' },
  async () => {
    const { client } = await startServer({ requestTimeout: 600 })
    const hasFact = ({ text }: Fragment, { fact }: Question) =>
      text.replaceAll(/\s+/g, ' ').includes(fact)
    const isOnPage = (found: Fragment, question: Question) =>
      found.span?.page === question.page && hasFact(found, question)
    const counts = [
      await rightFirst(client, manualPdf(), 'manual.pdf', isOnPage),
      await rightFirst(client, manualDocx(), 'manual.docx', hasFact),
      await rightFirst(client, manualHtml(), 'manual.html', hasFact),
    ]
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(25)
  },
)
