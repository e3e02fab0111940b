import { _, type Code, type CodeKeywordDefinition } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

type Limits = { maxLength?: number; minLength?: number; maxItems?: number }

/** A character takes one or two UTF-16 units. */
const mostUnits = 2

/**
 * What a value's length has to be for a keyword to be worth checking, by the limits beside it. A pattern
 * may take the square of a text's length, and to count characters goes over all of it.
 */
const worthwhile: Record<string, (limits: Limits) => Code | undefined> = {
  pattern: ({ maxLength }) => atMost(maxLength && maxLength * mostUnits),
  format: ({ maxLength }) => atMost(maxLength && maxLength * mostUnits),
  uniqueItems: ({ maxItems }) => atMost(maxItems),
  maxLength: ({ maxLength }) => _`> ${maxLength}`,
  minLength: ({ minLength = 0 }) => _`< ${minLength * mostUnits}`,
}

/** The schemas of schemas have no limit; the contract's have one, as a test demands. */
const atMost = (limit: number | undefined): Code | undefined =>
  limit === undefined ? undefined : _`<= ${limit}`

/**
 * The validator looks at every keyword, to name all that is wrong. This has it leave out those that a
 * value's length already answers.
 */
export function boundKeywords(ajv: Ajv2020): void {
  for (const [keyword, lengthOf] of Object.entries(worthwhile)) {
    const shipped = ajv.getKeyword(keyword) as CodeKeywordDefinition
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      ...shipped,
      keyword,
      code: (context, type) => {
        const length = lengthOf(context.parentSchema as Limits)
        if (!length) shipped.code(context, type)
        else context.gen.if(_`${context.data}.length ${length}`, () => shipped.code(context, type))
      },
    })
  }
}
