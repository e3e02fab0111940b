import { dirname } from 'node:path'
import type { Measured } from './measure.ts'

/** What stands between a reader and an idea: names with two meanings, files of one user, ways into a folder. */
export function wallsOf(measured: Measured[]) {
  const importers = importersOf(measured)
  const small = measured.filter(({ file, lines }) => {
    const [only, ...others] = importers.get(file) ?? []
    return lines < smallFile && only && others.length === 0 && dirname(only) === dirname(file)
  })
  const doors = measured.filter(({ file }) =>
    (importers.get(file) ?? []).some((by) => isOf('store', file) && !isOf('store', by)),
  )
  const shapes = measured
    .filter(({ file }) => isOf('domain', file) || isOf('store', file))
    .flatMap(({ types }) => types.filter((name) => ofDocuments.test(name)))
  const circles = inCircles(foldersImportedBy(measured))
  return [
    { wall: 'exported names of two files', count: twinsOf(measured).length, of: twinsOf(measured) },
    { wall: `files under ${smallFile} lines beside their only importer`, count: small.length },
    { wall: 'doors of the store', count: doors.length },
    { wall: 'shapes of a document', count: shapes.length, of: shapes },
    { wall: 'folders in circles', count: circles.length, of: circles },
  ].map(({ of = [], ...wall }) => ({ ...wall, of: of.join(', ') }))
}

const smallFile = 45
/** Filters and writes of documents are none. */
const ofDocuments = /^\w*(Document|Datasource|Fragment|Version)(?!\w*(Filter|Write)$)\w*$/

const isOf = (room: string, file: string): boolean => file.startsWith(`${room}/`)

function importersOf(measured: Measured[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const { file, imports } of measured) {
    for (const imported of new Set(imports)) {
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}

function twinsOf(measured: Measured[]): string[] {
  const names = measured.flatMap(({ exports }) => exports)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

/** A file that is directly in a folder is of that folder alone. */
function foldersImportedBy(measured: Measured[]): Map<string, string[]> {
  const importsOf = new Map<string, string[]>()
  for (const { file, imports } of measured) {
    const folder = dirname(file)
    const others = imports.map(dirname).filter((other) => other !== folder)
    importsOf.set(folder, [...(importsOf.get(folder) ?? []), ...others])
  }
  return importsOf
}

/** Those that import themselves by way of others. */
export function inCircles(importsOf: Map<string, string[]>): string[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (importsOf.get(from) ?? []).some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  return [...importsOf.keys()].filter((one) => reaches(one, one, new Set()))
}
