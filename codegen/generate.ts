/**
 * Contract → `generated/`: types, client, operations and problems, the document that a server reads
 * and hands out; and the methods of the client package. README → the steps of the first page. Then `page/` →
 * `generated/`, as it calls through that client. Run by `npm run generate`.
 */
import { createClient } from '@hey-api/openapi-ts'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { changesSource } from './changes/history.ts'
import { firstStepsSource } from './first-steps.ts'
import { methodsSource } from './client-methods.ts'
import { bundlePage } from './page.ts'
import { toServedDocument, toYaml } from './served-document.ts'
import { withScopes } from './expand-shorthands.ts'
import {
  defaultsSource,
  jsonLimitsSource,
  maxLengthsSource,
  operationsSource,
  problemsSource,
  versionSource,
} from './server-types.ts'

const root = join(import.meta.dirname, '..')
const document = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
const explained = withScopes(document)
const [output = join(root, 'generated'), methods = join(root, 'client/src/methods.gen.ts')] =
  process.argv.slice(2)

await createClient({
  input: explained,
  output: { path: output, module: { extension: '.ts' } },
  logs: { level: 'silent', file: false },
  plugins: [
    // Enums are values too: the service asks the contract which scopes there are.
    { name: '@hey-api/typescript', enums: 'javascript' },
    '@hey-api/client-fetch',
    '@hey-api/sdk',
  ],
})
writeFileSync(join(output, 'operations.gen.ts'), operationsSource(document))
writeFileSync(join(output, 'defaults.gen.ts'), defaultsSource(document))
writeFileSync(join(output, 'json-limits.gen.ts'), jsonLimitsSource(document))
writeFileSync(join(output, 'max-lengths.gen.ts'), maxLengthsSource(document))
writeFileSync(join(output, 'problems.gen.ts'), problemsSource(document))
writeFileSync(join(output, 'changes.gen.ts'), changesSource())
writeFileSync(join(output, 'version.gen.ts'), versionSource(document))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
writeFileSync(join(output, 'first-steps.gen.ts'), firstStepsSource(readme))
// Replaces the client generator's own stream of events.
const stream = readFileSync(join(import.meta.dirname, 'client/stream-agent.ts'), 'utf8')
const copied = '// Copied from codegen/client/ by `npm run generate`. Do not edit.\n\n'
writeFileSync(
  join(output, 'stream-agent.gen.ts'),
  copied + stream.replaceAll(`'../../generated/`, `'./`),
)
const served = toServedDocument(document)
writeFileSync(join(output, 'openapi.json'), JSON.stringify(served, null, 1) + '\n')
writeFileSync(join(output, 'openapi.yaml'), toYaml(served))
appendFileSync(
  join(output, 'index.ts'),
  "export { type StreamedEvent, streamAgent, streamedEvents } from './stream-agent.gen.ts';\n",
)
writeFileSync(methods, methodsSource(explained))
await bundlePage(output)
