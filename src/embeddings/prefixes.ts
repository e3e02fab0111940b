/** Whether a text is looked for, or looked through. */
export type EmbeddingRole = 'query' | 'document'

/** The text before each text of a role, as the model was trained. */
export type Prefixes = Record<EmbeddingRole, string>

export const isSame = (one: Prefixes, other: Prefixes): boolean =>
  one.query === other.query && one.document === other.document

const instruction = 'Given a web search query, retrieve relevant passages that answer the query'
const sentence = 'Represent this sentence for searching relevant passages: '

/** As the models' cards ask for them; the first name that fits counts. */
const knownModels: [name: RegExp, query: string, document: string][] = [
  // https://huggingface.co/nomic-ai/nomic-embed-text-v1.5
  [/^nomic-embed-text/, 'search_query: ', 'search_document: '],
  // https://huggingface.co/intfloat/multilingual-e5-large-instruct
  [/(^|-)e5-large-instruct/, `Instruct: ${instruction}\nQuery: `, ''],
  // https://huggingface.co/intfloat/e5-base-v2, https://huggingface.co/intfloat/multilingual-e5-base
  [/(^|-)e5-(small|base|large)/, 'query: ', 'passage: '],
  // https://huggingface.co/Snowflake/snowflake-arctic-embed-l-v2.0
  [/^snowflake-arctic-embed(2|-[lm]-v2)/, 'query: ', ''],
  // https://huggingface.co/Snowflake/snowflake-arctic-embed-m
  [/^snowflake-arctic-embed/, sentence, ''],
  // https://huggingface.co/BAAI/bge-large-en-v1.5, which Ollama calls bge-large
  [/^bge-((small|base|large)-en|large$)/, sentence, ''],
  // https://huggingface.co/mixedbread-ai/mxbai-embed-large-v1
  [/^mxbai-embed-large/, sentence, ''],
  // https://huggingface.co/Qwen/Qwen3-Embedding-0.6B
  [/^qwen3-embedding/, `Instruct: ${instruction}\nQuery:`, ''],
  // https://ai.google.dev/gemma/docs/embeddinggemma/model_card
  [/^embeddinggemma/, 'task: search result | query: ', 'title: none | text: '],
]

/** Those of a model, each replaced by what is set; undefined where it has none. */
export function prefixesOf(model: string, set: Partial<Prefixes> = {}): Prefixes | undefined {
  const bare = bareName(model)
  const [, query = '', document = ''] = knownModels.find(([name]) => name.test(bare)) ?? []
  const prefixes = { query, document, ...set }
  return prefixes.query || prefixes.document ? prefixes : undefined
}

/** Ollama adds a tag, Hugging Face an owner, and LM Studio `text-embedding-` and a quantization. */
const bareName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[:@].*$/, '')
    .replace(/^text-embedding-/, '')
