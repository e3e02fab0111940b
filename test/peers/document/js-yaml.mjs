import { deepStrictEqual } from 'node:assert'
import { load } from 'js-yaml'

/** The YAML that is served holds the same as the JSON. */
const read = async (path) => (await fetch(process.env.SERVICE_URL + path)).text()
deepStrictEqual(load(await read('/openapi.yaml')), JSON.parse(await read('/openapi.json')))
