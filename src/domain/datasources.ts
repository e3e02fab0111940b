import type { Deadline } from '../scheduling/deadline.ts'
import { NotFound } from '../errors.ts'
import type { Position } from '../store/lance/filter.ts'
import type { Fragments } from '../store/fragments/fragments.ts'
import type { DocumentHead, StoredDocument } from '../store/fragments/rows.ts'
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
    source?: string,
  ): Promise<Page<DocumentHead>> {
    const table = await this.#fragments.of(datastore.id)
    return readPage(limit, (rows) => table.list(rows, position, source))
  }

  async get(datastore: Datastore, id: string): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return found(await table.read(id), id)
  }

  /** Deletes a datasource and returns it as it was. @throws NotFound */
  async remove(datastore: Datastore, id: string, deadline: Deadline): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return found(await table.writes.remove(id, deadline), id)
  }
}

function found(document: StoredDocument | undefined, id: string): Datasource {
  if (!document) throw new NotFound('datasource', id)
  return whole(document)
}

/** With the text whole. */
export const whole = ({ head, pieces }: StoredDocument): Datasource => ({
  ...head,
  text: wholeText(pieces),
})
