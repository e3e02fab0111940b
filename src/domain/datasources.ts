import type { MetadataFilter } from '../../generated/types.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import { orNotFound } from './ids.ts'
import { type Fragments, metadataCondition } from '../store/store.ts'
import type { PageCursor, DocumentFilter, DatasourceInfo, StoredDocument } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { wholeText } from './documents.ts'
import { type Page, readPage } from './list-page.ts'

export type Datasource = DatasourceInfo & { text: string }

export class Datasources {
  readonly #fragments: Fragments

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  async list(
    datastore: Datastore,
    limit: number,
    position?: PageCursor,
    wanted?: DocumentFilter,
  ): Promise<Page<DatasourceInfo>> {
    const table = await this.#fragments.of(datastore.id)
    return readPage(limit, (rows) => table.list(rows, position, wanted))
  }

  async get(datastore: Datastore, id: string): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return datasourceOf(await table.read(id), 'datasource', id)
  }

  /** Deletes all datasources whose metadata match a filter, in one step, and returns their number. */
  async removeAll(
    datastore: Datastore,
    metadata: MetadataFilter,
    deadline: Deadline,
  ): Promise<number> {
    const { writes } = await this.#fragments.of(datastore.id)
    return writes.removeAll(metadataCondition(metadata), deadline)
  }

  /** Deletes a datasource and returns its last state. @throws NotFound */
  async remove(datastore: Datastore, id: string, deadline: Deadline): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return datasourceOf(await table.writes.remove(id, deadline), 'datasource', id)
  }
}

/** A document with its whole text. @throws NotFound if there is none of that `id` */
export function datasourceOf(
  document: StoredDocument | undefined,
  kind: 'datasource' | 'document',
  id: string,
): Datasource {
  const { info, pieces } = orNotFound(document, kind, id)
  return { ...info, text: wholeText(pieces) }
}
