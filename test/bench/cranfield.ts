import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Collection, Judgements } from './collection.ts'

/** Reads a folder in the layout of Cranfield 1400. Records without a text are left out. */
export async function readCranfield(folder: string): Promise<Collection> {
  const [all, questions, judged] = await Promise.all(
    ['cran.all.1400', 'cran.qry', 'cranqrel'].map(async (name) =>
      (await readFile(join(folder, name), 'utf8')).replaceAll('\r', ''),
    ),
  )
  return {
    documents: records(all ?? '')
      .filter(({ fields }) => fields.W)
      .map(({ number, fields }) => ({ number, text: `${fields.T}\n${fields.W}` })),
    // The judgements number the queries by their order, not by the number they carry.
    queries: records(questions ?? '').map(({ fields }, index) => ({
      number: String(index + 1),
      text: fields.W ?? '',
    })),
    judgements: readJudgements(judged ?? ''),
  }
}

function records(file: string) {
  return file
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const [number = '', ...parts] = record.split(/^\.([TABW])\n/m)
      const fields: Record<string, string> = {}
      for (let index = 0; index < parts.length; index += 2) {
        fields[parts[index]!] = parts[index + 1]!.trim()
      }
      return { number: String(Number(number)), fields }
    })
}

function readJudgements(file: string): Judgements {
  const judgements: Judgements = new Map()
  for (const line of file.trim().split('\n')) {
    const [query = '', document = '', code] = line.trim().split(/\s+/)
    const gains = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, gains.set(document, gainOf(Number(code))))
  }
  return judgements
}

/** 1, a complete answer, to 4, of minimum interest; -1 is the document the query was made from. */
function gainOf(code: number): number {
  if (code === -1) return 1
  return code >= 1 && code <= 4 ? 5 - code : 0
}
