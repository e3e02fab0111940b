import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

/** Adds the keyword of a text that holds JSON, and how long it may be. What `parameters.ts` could read is no text. */
export function addJsonText(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-json-text',
    schemaType: 'number',
    errors: true,
    validate: refuseText,
  })
}

const refuseText: SchemaValidateFunction = (maxLength: number, value: unknown) => {
  if (typeof value !== 'string') return true
  const message =
    value.length > maxLength
      ? `must NOT have more than ${maxLength} characters`
      : 'must be an object as JSON'
  refuseText.errors = [{ keyword: 'x-json-text', params: { maxLength }, message }]
  return false
}
