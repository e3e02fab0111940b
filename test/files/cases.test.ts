import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'
import { type Case, cases } from './cases.ts'

/** Files as people have them: what a reader sees in them comes out. */

/** Not yet. */
const pending = new Set([
  'docx-smartart.docx',
  'docx-header-with-fact.docx',
  'docx-bold-headings.docx',
  'docx-numbered-clauses.docx',
  'html-cookie-banner.html',
  'html-title-alone.html',
  'pdf-link.pdf',
  'xlsx-merged-region.xlsx',
  'pdf-chinese-named-cmap.pdf',
  'pdf-mixed-named-cmap.pdf',
  'pdf-columns-drawn-by-row.pdf',
  'pdf-bold-drawn-twice.pdf',
  'pdf-form-ticked-boxes.pdf',
  'pdf-cells-from-the-right.pdf',
  'pdf-turned-page-table.pdf',
  'pdf-bold-headings.pdf',
  'pdf-hyphen-of-a-compound.pdf',
  'pdf-raised-figures.pdf',
  'pdf-table-by-column.pdf',
  'pptx-bullets.pptx',
  'pptx-boxes-added-later.pptx',
  'xlsx-text-box.xlsx',
  'xlsx-leading-zeros.xlsx',
  'xlsx-formulas-never-computed.xlsx',
])

const folder = join(import.meta.dirname, 'cases')

test.each(cases.filter(({ name }) => !pending.has(name)))(
  '$name',
  async ({ name, must = [], not = [], order = [] }: Case) => {
    const { text } = await readHere({ name, bytes: readFileSync(join(folder, name)) })
    for (const part of must) expect(text).toContain(part)
    for (const part of not) expect(text).not.toContain(part)
    let end = 0
    for (const part of order) {
      expect(text.slice(end)).toContain(part)
      end = text.indexOf(part, end) + part.length
    }
  },
)
