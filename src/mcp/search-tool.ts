import { defaults } from '../../generated/defaults.gen.ts'
import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { DocumentsUnreadable, NotFound, orUndefined } from '../errors/errors.ts'
import { EmbeddingModelMismatch } from '../errors/provider-errors.ts'
import { comparable } from '../retrieval/standing.ts'
import { cite } from './citation.ts'
import { named, type Tool, type ToolContext } from './tool.ts'
import { shortened } from './text-parts.ts'
import { type Arguments, refuse } from './arguments.ts'

type Match = { fragment: Fragment; rank: number; datastore: { id: string; name: string } }

/** The matches of one datastore, and a note if it was searched otherwise than asked. */
type Searched = { found: Match[]; note?: string | undefined }

export const searchTool: Tool = {
  operationId: 'queryDatastore',
  isForOneDatastore: true,
  isReadOnly: true,
  run: async ({ datastore, ...args }, context) => {
    refuse(args, (name) => Object.hasOwn(notTaken, name))
    const datastores = await context.datastores.chosen(datastore)
    if (datastores.length === 0) await checkQuery(args, context)
    const isOfSeveral = datastore === undefined && datastores.length > 1
    const searched: Searched[] = []
    for (const some of inGroups(datastores)) {
      searched.push(
        ...(await Promise.all(some.map((one) => search(one, args, isOfSeveral, context)))),
      )
    }
    const topK = typeof args.topK === 'number' ? args.topK : defaults.TopK
    const found = searched.flatMap((each) => each.found).toSorted((a, b) => b.rank - a.rank)
    const documents = Map.groupBy(found.slice(0, topK), ({ fragment }) => fragment.datasource_id)
    const notes = searched.flatMap(({ note }) => note ?? [])
    const results = withUniqueTitles(
      Array.from(documents.values(), (of) => toResult(of, context.base)),
    )
    return { results, ...(notes.length > 0 && { notes }) }
  },
  note: async ({ datastores }) => {
    const [first, ...others] = await datastores.first(maxNoted + 1)
    if (!first) return 'There are no datastores yet.'
    const names = [first, ...others]
      .slice(0, maxNoted)
      .map(({ value }) => shortened(value.name, 60))
    const more = others.length === maxNoted ? ' and more' : ''
    return `Datastores: ${shortened(names.join(', '), maxNote)}${more}.`
  },
}

type Taken = 'query' | 'topK' | 'filters'

/** Members of a query that the tool does not take. The query itself refuses unknown ones, and suggests a name. */
const notTaken: Record<Exclude<keyof QueryDatastore, Taken>, true> = {
  mode: true,
  minScore: true,
  distinct: true,
  perDatasource: true,
  include: true,
}

const maxNoted = 20
const maxNote = 300

/** A query says what is wrong with it before it looks for its datastore. @throws InvalidRequest */
const checkQuery = (body: Arguments, { call, by }: ToolContext): Promise<unknown> =>
  call('queryDatastore', { path: { id: 'none' }, body }, by).catch(orUndefined(NotFound))

/** One of several datastores is left out if it cannot be searched. @throws the error for a single one */
async function search(
  datastore: Datastore,
  args: Arguments,
  isOfSeveral: boolean,
  context: ToolContext,
): Promise<Searched> {
  try {
    return await foundIn(datastore, args, context)
  } catch (error) {
    // Another caller may have deleted it meanwhile.
    if (isOfSeveral && error instanceof NotFound) return { found: [] }
    if (!isOfSeveral || !(error instanceof DocumentsUnreadable)) throw error
    return { found: [], note: `${labelOf(datastore)} was left out. ${error.message}` }
  }
}

async function foundIn(
  datastore: Datastore,
  args: Arguments,
  { call, by }: ToolContext,
): Promise<Searched> {
  const path = { id: datastore.id }
  const query = (own: object) =>
    call('queryDatastore', { path, body: { ...args, ...own, include: ['metadata'] } }, by)
  const notes: string[] = []
  // First, because only this tells a table that is missing from a datastore that is deleted.
  const { fragmentCount } = await call('getDatastore', { path }, by)
  const fragments = await query({}).catch((error: unknown) => {
    if (!(error instanceof EmbeddingModelMismatch)) throw error
    notes.push(`${labelOf(datastore)} was searched by keyword alone, ${anotherModel}`)
    return query({ mode: 'keyword' })
  })
  const found = fragments.map((fragment) => ({
    fragment,
    rank: comparable(fragment.score, fragmentCount),
    datastore: named(datastore),
  }))
  return { found, note: notes[0] }
}

const anotherModel = 'because its embedding model is another one.'
const labelOf = ({ id, value }: Datastore): string => `${value.name} (${id})`

/** More at once would keep the event loop from others. */
const maxAtOnce = 4

const inGroups = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / maxAtOnce) }, (_, group) =>
    items.slice(group * maxAtOnce, (group + 1) * maxAtOnce),
  )

function toResult(found: Match[], base: string) {
  const [{ fragment, datastore }] = found as [Match, ...Match[]]
  const { datasource_id: id, datasource_name: name, source, metadata, score } = fragment
  const { title, url, ...where } = cite({ id, name, source, metadata, datastore }, base)
  const text = found.map((one) => one.fragment.text).join('\n\n')
  return { ...where, title, url, text, score }
}

type Result = ReturnType<typeof toResult>

function withUniqueTitles(results: Result[]): Result[] {
  const byTitle = Map.groupBy(results, ({ title }) => title)
  return results.map((result) => {
    const isAlone = byTitle.get(result.title)!.length === 1
    return isAlone ? result : { ...result, title: `${result.title} (${result.id})` }
  })
}
