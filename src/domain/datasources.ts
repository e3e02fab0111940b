import { NotFound } from '../errors.ts'
import type { Position } from '../store/filter.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import type { Fragments } from '../store/fragments.ts'
import type { DocumentHead, Fragment } from '../store/rows.ts'
import type { Datastores } from './datastores.ts'
import { type Page, readPage } from './page.ts'

/** A stored document with its whole text. */
export type Datasource = DocumentHead & { text: string }

/** The documents of a datastore, one by one. */
export class Datasources {
  readonly #datastores: Datastores
  readonly #fragments: Fragments

  constructor(datastores: Datastores, fragments: Fragments) {
    this.#datastores = datastores
    this.#fragments = fragments
  }

  /** One page, oldest first; with `source`, only the datasources made from it. */
  async list(
    workspace: string,
    datastoreId: string,
    limit: number,
    position?: Position,
    source?: string,
  ): Promise<Page<DocumentHead>> {
    const table = await this.#table(workspace, datastoreId)
    return readPage(limit, (rows) => table.list(rows, position, source))
  }

  /** @throws NotFound */
  async get(workspace: string, datastoreId: string, id: string): Promise<Datasource> {
    return read(await this.#table(workspace, datastoreId), id)
  }

  /**
   * Deletes a datasource with all its fragments and returns it as it was.
   * @throws NotFound
   */
  async remove(workspace: string, datastoreId: string, id: string): Promise<Datasource> {
    const table = await this.#table(workspace, datastoreId)
    for (;;) {
      const datasource = await read(table, id)
      if (await table.remove(datasource)) return datasource
    }
  }

  async #table(workspace: string, datastoreId: string): Promise<FragmentTable> {
    const datastore = await this.#datastores.require(workspace, datastoreId)
    return this.#fragments.of(datastore.id)
  }
}

async function read(table: FragmentTable, id: string): Promise<Datasource> {
  const found = await table.read(id)
  if (!found) throw new NotFound('datasource', id)
  return { ...found.head, text: wholeText(found.fragments) }
}

/** Fragments overlap: of each, what the ones before it have not covered. */
function wholeText(fragments: Fragment[]): string {
  let text = ''
  for (const fragment of fragments) text += fragment.text.slice(text.length - fragment.offset)
  return text
}
