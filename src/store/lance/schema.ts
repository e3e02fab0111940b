import { Field, type Float32, Utf8 } from 'apache-arrow'

/** LanceDB keeps it unique in merges, even of several processes. */
export const primaryKey = (name: string): Field =>
  new Field(name, new Utf8(), false, new Map([['lance-schema:unenforced-primary-key', 'true']]))

export const itemOf = <T extends Float32 | Utf8>(type: T): Field<T> => new Field('item', type, true)
