import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { and, equal, type Filter, holds, oneOf, or } from '../lance/filter.ts'
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

/** An id in one workspace; no workspace is empty or has a slash. */
export const nameOf = (id: string, workspace: string): string => `${workspace}/${id}`

/** An id in any workspace, whose value holds a text without a slash. */
export const nameHolding = (id: string, text: string): string => `/${text}/${id}`

/** Filters in LanceDB, so that a record of another workspace is refused as fast as a missing one. */
export function byNames(names: string[]): Filter {
  const byScope = Map.groupBy(names, (name) => name.slice(0, name.indexOf('/', 1)))
  const filters = Array.from(byScope, ([scope, some]) => {
    const ids = oneOf(
      'id',
      some.map((name) => name.slice(scope.length + 1)),
    )
    const isIn = scope.startsWith('/') ? holds('value', scope.slice(1)) : equal('workspace', scope)
    return and(ids, isIn)
  })
  return or(...filters)
}
