import { Field, type Float32, Utf8 } from 'apache-arrow'

/** A column that LanceDB keeps unique as rows are merged in, also by other processes; it takes no index. */
export const primaryKey = (name: string): Field =>
  new Field(name, new Utf8(), false, new Map([['lance-schema:unenforced-primary-key', 'true']]))

export const itemOf = <T extends Float32 | Utf8>(type: T): Field<T> => new Field('item', type, true)
