import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { and, equal, type Filter, oneOf, or } from '../lance/filter.ts'
import { primaryKey } from '../lance/schema.ts'

/** `rev` is what `replace` compares. */
export type Stored<T> = {
  id: string
  workspace: string
  rev: number
  createdAt: string
  value: T
}

export type RecordRow = {
  id: string
  workspace: string
  rev: number
  created_at: string
  value: string
}

export const recordSchema = new Schema([
  primaryKey('id'),
  new Field('workspace', new Utf8(), false),
  new Field('rev', new Int32(), false),
  new Field('created_at', new Utf8(), false),
  new Field('value', new Utf8(), false),
])

export function toRow<T>({ id, workspace, rev, createdAt, value }: Stored<T>): RecordRow {
  return { id, workspace, rev, created_at: createdAt, value: JSON.stringify(value) }
}

export function fromRow<T>({ id, workspace, rev, created_at, value }: RecordRow): Stored<T> {
  return { id, workspace, rev, createdAt: created_at, value: JSON.parse(value) }
}

/** An id in one workspace or in any; no workspace has a slash. */
export const nameOf = (id: string, workspace = ''): string => `${workspace}/${id}`

export const namesOf = ({ id, workspace }: { id: string; workspace: string }): string[] => [
  nameOf(id, workspace),
  nameOf(id),
]

/** Filters by workspace, so that another's record is refused as fast as one that never was. */
export function named(names: string[]): Filter {
  const byWorkspace = Map.groupBy(names, (name) => name.slice(0, name.indexOf('/')))
  const filters = Array.from(byWorkspace, ([workspace, some]) => {
    const ids = oneOf(
      'id',
      some.map((name) => name.slice(workspace.length + 1)),
    )
    return workspace === '' ? ids : and(equal('workspace', workspace), ids)
  })
  return or(...filters)
}
