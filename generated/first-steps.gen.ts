// Made from README.md by `npm run generate`.
export type Step = { kind: 'paragraph' | 'command' | 'output'; text: string }

/** By the command line, and over HTTP. */
export const firstSteps: readonly [Step[], Step[]] = [
  [
    {
      "kind": "paragraph",
      "text": "Give another shell the key: `export API_KEY=ads_initial_…`. Put a folder in, here one with a single note:"
    },
    {
      "kind": "command",
      "text": "mkdir notes && echo 'The library opens at nine in the morning, Monday to Saturday.' > notes/hours.md\nnpm run -s cli -- ingest town notes --create"
    },
    {
      "kind": "paragraph",
      "text": "Ask. The answer quotes the notes, and names each place:"
    },
    {
      "kind": "command",
      "text": "npm run -s cli -- ask town when does the library open"
    },
    {
      "kind": "output",
      "text": "The library opens at nine in the morning, Monday to Saturday. [1]\n\n[1] notes/hours.md\n    \"The library opens at nine in the morning, Monday to Saturday.\""
    }
  ],
  [
    {
      "kind": "paragraph",
      "text": "The same over HTTP. Make a datastore and put two documents in:"
    },
    {
      "kind": "command",
      "text": "curl -s http://127.0.0.1:3000/datastores \\\n  -H \"Authorization: Bearer $API_KEY\" -H 'Content-Type: application/json' \\\n  -d '{\"name\": \"library\"}' | tee datastore.json\nDATASTORE=$(grep -o 'dst_[0-9a-f]*' datastore.json)\ncurl -s http://127.0.0.1:3000/api/datastores/upsert/$DATASTORE \\\n  -H \"Authorization: Bearer $API_KEY\" -H 'Content-Type: application/json' \\\n  -d '{\"documents\": [\n        {\"text\": \"The library opens at nine in the morning, Monday to Saturday.\",\n         \"name\": \"Opening hours\",\n         \"metadata\": {\"source_url\": \"https://library.example/hours\", \"custom_id\": \"main-street\"}},\n        {\"text\": \"Books may be kept for four weeks and renewed twice.\"}]}'"
    },
    {
      "kind": "paragraph",
      "text": "Ask. With `custom_ids`, only the documents of one customer are searched:"
    },
    {
      "kind": "command",
      "text": "curl -s http://127.0.0.1:3000/datastores/$DATASTORE/query \\\n  -H \"Authorization: Bearer $API_KEY\" -H 'Content-Type: application/json' \\\n  -d '{\"query\": \"When does the library open?\", \"filters\": {\"custom_ids\": [\"main-street\"]}}'"
    },
    {
      "kind": "output",
      "text": "[{\"text\":\"The library opens at nine in the morning, Monday to Saturday.\",\"score\":0.375314,\"source\":\"https://library.example/hours\",\"datasource_id\":\"src_0d6f2b8c41e94a7f9c53e7a1000\",\"datasource_name\":\"Opening hours\"}]"
    }
  ]
]
