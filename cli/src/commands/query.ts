import { type Command, Option } from 'commander'
import {
  type Fragment,
  type MetadataFilter,
  type QueryDatastore,
  QueryMode,
} from '../../../client/src/index.ts'
import { datastoreId } from '../names.ts'
import { collect, countOf, jsonObjectOf, numberOf } from '../option-values.ts'
import { highlighted, indented } from '../output/highlighted.ts'
import { printAs } from '../output/print.ts'
import { sourceOf } from '../output/source.ts'
import { style } from '../output/style.ts'
import { quotingHint } from '../quoting-hint.ts'
import { openSession } from '../session.ts'

type Options = {
  topK?: number
  mode?: QueryMode
  minScore?: number
  customId?: string[]
  filter?: Record<string, unknown>
}

const help = `
Each fragment has its score and its source. On a terminal the words that match are marked; --json
says where they are. Behind -- every word is one to look for, also --json.

Examples:
  $ agents-datastores query library when does the library open
  $ agents-datastores query library -- what does --json do
  $ agents-datastores query library renewal --mode keyword --top-k 20
  $ agents-datastores query library fees --filter '{"type": "eq", "key": "lang", "value": "de"}'`

export function addQuery(program: Command): void {
  program
    .command('query')
    .description('find the fragments of a datastore that are most similar to some words')
    .argument('<datastore>', 'its name or id')
    .argument('<words...>', 'what to look for')
    .option('--top-k <n>', 'the most fragments; 5 if not given', countOf)
    .addOption(
      new Option('--mode <mode>', 'what makes a fragment similar').choices(
        Object.values(QueryMode),
      ),
    )
    .option('--min-score <score>', 'no fragments with a lower score', numberOf)
    .option('--custom-id <id>', 'only documents with this custom_id; may be repeated', collect)
    .option('--filter <json>', 'only documents whose metadata matches', jsonObjectOf)
    .configureOutput(quotingHint)
    .addHelpText('after', help)
    .action(run)
}

async function run(name: string, words: string[], options: Options, command: Command) {
  const { client, isJson, signal } = openSession(command)
  const id = await datastoreId(client, name)
  const fragments = await client.queryDatastore(id, queryOf(words, options), { signal })
  const text = fragments.map(toText).join('\n\n')
  await printAs(isJson, fragments, text || 'Nothing was found.')
}

function queryOf(words: string[], options: Options): QueryDatastore {
  const { topK, mode, minScore, customId, filter } = options
  return {
    query: words.join(' '),
    include: ['highlights', 'span'],
    ...(topK !== undefined && { topK }),
    ...(mode && { mode }),
    ...(minScore !== undefined && { minScore }),
    ...((customId || filter) && {
      filters: {
        ...(customId && { custom_ids: customId }),
        // The server checks it, and names what is wrong.
        ...(filter && { metadata: filter as MetadataFilter }),
      },
    }),
  }
}

function toText(fragment: Fragment, index: number): string {
  const { text, score, span, highlights = [] } = fragment
  const page = span?.page === undefined ? '' : `, page ${span.page}`
  const source = style.cyan(`${sourceOf(fragment)}${page}`)
  const head = `${index + 1}. ${source}  ${style.dim(score.toFixed(3))}`
  return `${head}\n${indented(highlighted(text, highlights).trim())}`
}
