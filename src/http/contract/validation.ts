import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Options } from 'openapi-backend'
import { parseInstant } from '../../metadata/instant.ts'
import { addJsonLimits } from './json-limits.ts'
import {
  addFilePart,
  addFilterLimits,
  addJsonText,
  addUniqueBy,
  boundKeywords,
} from './keywords.ts'

/** For openapi-backend's `customizeAjv`: the contract's dialect is JSON Schema 2020-12. */
export function createAjvFactory(): NonNullable<Options['customizeAjv']> {
  const made = new Map<unknown, Ajv2020>()
  return (_shipped, options, context) => {
    const ajv = made.get(context) ?? createAjv(options)
    made.set(context, ajv)
    return ajv
  }
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    useDefaults: true,
    // Of several schemas the one of the value's `type` reports what is wrong.
    discriminator: true,
    // `violations.ts` reads the broken schema.
    verbose: true,
    // Ajv would take `0x10` and `1e1` for integers, so `parameters.ts` reads them.
    coerceTypes: false,
  })
  addFormats.default(ajv)
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('visible', isVisible)
  ajv.addFormat('instant', (text: string) => parseInstant(text) !== undefined)
  ajv.addVocabulary(['example', 'xml', 'externalDocs', 'x-pattern-detail', 'x-deprecated-since'])
  boundKeywords(ajv)
  addJsonLimits(ajv)
  addFilterLimits(ajv)
  addUniqueBy(ajv)
  addJsonText(ajv)
  addFilePart(ajv)
  return ajv
}

const shipped = addFormats.default.get('date-time', 'full') as {
  validate: (text: string) => boolean
}

/** RFC 3339. The shipped format also takes a blank for the `T`, and leap seconds, which no `Date` holds. */
const isDateTime = (text: string): boolean =>
  /^.{10}T.{6}[0-5]/i.test(text) && shipped.validate(text)

/** Whether a text has a visible character. A pattern in the contract could name few. */
const isVisible = (text: string): boolean =>
  /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u.test(text)
