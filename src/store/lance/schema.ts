import { Field, type Float32, Utf8 } from 'apache-arrow'

/**
 * A string column on which LanceDB refuses a second row of the same value when rows are merged in,
 * also from other processes. It must not be null, and no index may be built on it.
 */
export const primaryKey = (name: string): Field =>
  new Field(name, new Utf8(), false, new Map([['lance-schema:unenforced-primary-key', 'true']]))

/** What a list of these holds, named as Arrow names it. */
export const itemOf = <T extends Float32 | Utf8>(type: T): Field<T> => new Field('item', type, true)
