import { createClient } from '@hey-api/openapi-ts'

/** The SDK of hey-api, whose functions check what they send and get with this validator. */
const [, , output, validator, ...plugins] = process.argv
await createClient({
  input: 'openapi.json',
  output,
  logs: { level: 'silent', file: false },
  plugins: [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/sdk', validator },
    validator,
    ...plugins,
  ],
})
