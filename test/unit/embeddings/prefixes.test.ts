import { expect, test } from 'vitest'
import { prefixesOf } from '../../../src/embeddings/prefixes.ts'

const sentence = 'Represent this sentence for searching relevant passages: '
const nomic = ['search_query: ', 'search_document: ']
const e5 = ['query: ', 'passage: ']
const gemma = ['task: search result | query: ', 'title: none | text: ']

test.each([
  ['nomic-embed-text', nomic],
  ['nomic-embed-text:v1.5', nomic],
  ['nomic-ai/nomic-embed-text-v1.5', nomic],
  ['hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M', nomic],
  ['text-embedding-nomic-embed-text-v1.5@q8_0', nomic],
  ['nomic-embed-text-v2-moe', nomic],
  ['intfloat/e5-small-v2', e5],
  ['intfloat/multilingual-e5-large', e5],
  ['jeffh/intfloat-multilingual-e5-base:f16', e5],
  ['snowflake-arctic-embed:335m', [sentence, '']],
  ['Snowflake/snowflake-arctic-embed-m-v1.5', [sentence, '']],
  ['snowflake-arctic-embed2', ['query: ', '']],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', ['query: ', '']],
  ['bge-large', [sentence, '']],
  ['BAAI/bge-small-en-v1.5', [sentence, '']],
  ['mxbai-embed-large:latest', [sentence, '']],
  ['mixedbread-ai/mxbai-embed-large-v1', [sentence, '']],
  ['embeddinggemma', gemma],
  ['google/embeddinggemma-300m', gemma],
])('%s is known by its name', (model, [query, document]) => {
  expect(prefixesOf(model)).toEqual({ query, document })
})

test.each(['Qwen/Qwen3-Embedding-0.6B', 'qwen3-embedding:8b', 'text-embedding-qwen3-embedding-4b'])(
  '%s has an instruction before queries alone',
  (model) => {
    expect(prefixesOf(model)).toEqual({
      query: expect.stringMatching(/^Instruct: .*\nQuery:$/),
      document: '',
    })
  },
)

test.each([
  'text-embedding-3-small',
  'bge-m3',
  'BAAI/bge-large-zh-v1.5',
  'all-minilm',
  'nomic-embed-code',
  'mxbai-embed-de-large-v1',
])('%s has none', (model) => {
  expect(prefixesOf(model)).toBeUndefined()
})

test('what is set counts for a model that is not known', () => {
  expect(prefixesOf('own', { document: 'd: ' })).toEqual({ query: '', document: 'd: ' })
  expect(prefixesOf('nomic-embed-text', { query: '', document: '' })).toBeUndefined()
})
