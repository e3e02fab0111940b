import type { NewDocument } from '../../../generated/types.gen.ts'

const long = Array.from(
  { length: 60 },
  (_, n) => `## Step ${n}\n\nTurn the screw number ${n} by a quarter, and look at the gauge.`,
).join('\n\n')

/** Of each kind that a store keeps in a way of its own. */
export const documents: NewDocument[] = [
  { text: 'Books may be kept for four weeks. A lamp costs nothing.', name: 'Lending' },
  { text: 'The reading room opens at ten.', name: 'Hours', metadata: { custom_id: 'hours' } },
  {
    text: long,
    name: 'Assembly',
    metadata: { source_url: 'https://example.com/assembly', pages: 3 },
  },
  { text: 'Bücher aus Łódź, Größe 2.17.5, naïve café.', metadata: { custom_id: ['eins', 'zwei'] } },
  {
    text: '図書館は九時に開きます。東京都の図書館です。',
    metadata: { tags: { deep: [1, null, true] } },
  },
  { text: 'This one is deleted.' },
  { text: '\uFEFFWith a mark, an emoji 🚲 and a "quote" of O\'Hara.', metadata: { custom_id: 7 } },
  { text: 'The chain is oiled once a month.', name: 'Chain', metadata: {} },
  { text: long.slice(1_000), name: '', metadata: { source: 'manual', custom_id: 'chain' } },
  { text: 'The brake is checked once a year.', name: 'Brake' },
]

/** An upsert that was done, and can be repeated. */
export const repeated = {
  body: {
    documents: [
      { text: 'A card is lost at the desk.', name: 'Card', metadata: { b: 1, a: 2 } },
      { text: 'A card costs two coins.' },
    ],
  },
  headers: { 'Idempotency-Key': 'order-66' },
}
