import type { MetadataFilter } from '../../generated/types.gen.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import { NotFound } from '../errors/errors.ts'
import { type Fragments, metadataCondition } from '../store/store.ts'
import type { Position, DocumentFilter, DocumentHead, StoredDocument } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { wholeText } from './documents.ts'
import { type Page, readPage } from './page.ts'

export type Datasource = DocumentHead & { text: string }

export class Datasources {
  readonly #fragments: Fragments

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  async list(
    datastore: Datastore,
    limit: number,
    position?: Position,
    wanted?: DocumentFilter,
  ): Promise<Page<DocumentHead>> {
    const table = await this.#fragments.of(datastore.id)
    return readPage(limit, (rows) => table.list(rows, position, wanted))
  }

  async get(datastore: Datastore, id: string): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return found(await table.read(id), id)
  }

  /** Deletes all that a filter on the metadata matches, in one step, and returns how many they were. */
  async removeAll(
    datastore: Datastore,
    metadata: MetadataFilter,
    deadline: Deadline,
  ): Promise<number> {
    const { writes } = await this.#fragments.of(datastore.id)
    return writes.removeAll(metadataCondition(metadata), deadline)
  }

  /** Deletes a datasource and returns it as it was. @throws NotFound */
  async remove(datastore: Datastore, id: string, deadline: Deadline): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return found(await table.writes.remove(id, deadline), id)
  }
}

function found(document: StoredDocument | undefined, id: string): Datasource {
  if (!document) throw new NotFound('datasource', id)
  return withWholeText(document)
}

export const withWholeText = ({ head, pieces }: StoredDocument): Datasource => ({
  ...head,
  text: wholeText(pieces),
})
