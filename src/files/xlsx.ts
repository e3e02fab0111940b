import { posix } from 'node:path'
import { chartText, drawnTexts } from './drawings.ts'
import type { FileText } from './file-text.ts'
import { headingLine } from './markdown.ts'
import { joinPages } from './pages.ts'
import { sheetText } from './sheet-text.ts'
import { referenceIn, type Related, relationshipsOf, targetsOf } from './relationships.ts'
import { XlsxNumbers } from './xlsx-numbers.ts'
import { rowsOfSheet, type Workbook } from './xlsx-sheet.ts'
import { readPlainXml, textsIn } from './xml.ts'
import { type Entries, readEntries } from './zip.ts'

const wanted =
  /^(?:xl\/)?(?:(?:worksheets|drawings|charts)\/)?(?!calcChain\.)[^/]+\.xml$|^(?:xl\/)?(?:(?:worksheets|drawings)\/)?_rels\/[^/]*\.rels$/i
const usualPart = 'xl/workbook.xml'

/** The cells of each sheet that is shown as a table below its name, and what boxes on it say. */
export function readXlsx(bytes: Uint8Array): FileText {
  const entries = readEntries(bytes, wanted)
  const main = workbookPartOf(entries)
  const shared = partOf(entries, main, 'sharedStrings')
  // How Japanese texts are pronounced is left out.
  const strings = shared && textsIn(shared, 'si', 'rPh')
  const { sheets, startsIn1904 } = workbookOf(entries, main)
  const numbers = new XlsxNumbers(partOf(entries, main, 'styles'), startsIn1904)
  return joinPages(sheets.map((sheet) => textOfSheet(entries, sheet, { strings, numbers })))
}

function textOfSheet(
  entries: Entries,
  { name, target }: Sheet,
  workbook: Pick<Workbook, 'strings' | 'numbers'>,
): string {
  const related = relationshipsOf(entries, target)
  const rows = rowsOfSheet(entries.get(target), { ...workbook, related })
  const parts = [sheetText(rows), ...boxesOn(entries, related)].filter(Boolean)
  return parts.length > 0 ? [headingLine(1, name), ...parts].join('\n\n') : ''
}

function workbookPartOf(entries: Entries): string {
  const [target = ''] = targetsOf(relationshipsOf(entries, ''), 'officeDocument')
  return entries.has(target) ? target : usualPart
}

/** A part that the workbook refers to, or else one of the usual name. */
function partOf(entries: Entries, main: string, wantedType: string): Uint8Array | undefined {
  const [target = ''] = targetsOf(relationshipsOf(entries, main), wantedType)
  return entryOf(entries, target) ?? entryOf(entries, posix.join(main, '..', `${wantedType}.xml`))
}

/** Names in a package have no case (ECMA-376, part 2). */
function entryOf(entries: Entries, wantedName: string): Uint8Array | undefined {
  const lower = wantedName.toLowerCase()
  return (
    entries.get(wantedName) ?? entries.entries().find(([name]) => name.toLowerCase() === lower)?.[1]
  )
}

function boxesOn(entries: Entries, related: Related): string[] {
  return drawnOn(entries, related, 'drawing').flatMap(([drawing, xml]) => {
    const charts = drawnOn(entries, relationshipsOf(entries, drawing), 'chart')
    return drawnTexts(xml).concat(charts.map(([, chart]) => chartText(chart)))
  })
}

const drawnOn = (entries: Entries, related: Related, wantedType: string): [string, Uint8Array][] =>
  targetsOf(related, wantedType).flatMap((target) => {
    const xml = entries.get(target)
    return xml ? [[target, xml]] : []
  })

type Sheet = { name: string; target: string }

function workbookOf(entries: Entries, main: string) {
  const targets = relationshipsOf(entries, main)
  const workbook = { sheets: [] as Sheet[], startsIn1904: false }
  readPlainXml(entries.get(main), {
    onopentag: (tag, attributes) => {
      const { name = '', state = 'visible', date1904 = '' } = attributes
      if (tag === 'workbookPr') workbook.startsIn1904 = /^(?:1|true)$/.test(date1904)
      if (tag !== 'sheet' || state !== 'visible') return
      const { type = 'worksheet', target = '' } = targets.get(referenceIn(attributes)) ?? {}
      // Others have charts alone.
      if (type === 'worksheet') workbook.sheets.push({ name, target })
    },
  })
  return workbook
}
