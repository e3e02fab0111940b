import type { AddedColumn, Format } from './format.ts'
import { format4 } from './format-4.ts'
import { format5 } from './format-5.ts'
import { format6 } from './format-6.ts'

/** Oldest first. */
const formats: [Format, ...Format[]] = [format4, format5, format6]

export const currentFormat = Math.max(...formats.map(({ number }) => number))

export const oldestUpgradableFormat = formats[0].number - 1

/** Documents of an older format than this are analysed anew. */
export const analysedFormat = Math.max(
  ...formats.filter(({ isAnalysedAnew }) => isAnalysedAnew).map(({ number }) => number),
)

export const addedColumns: AddedColumn[] = formats.flatMap(({ columns }) => columns)
