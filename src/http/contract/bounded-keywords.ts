import { _, type Code, type CodeKeywordDefinition } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

type Limits = { maxLength?: number; minLength?: number; maxItems?: number }

const maxUnitsPerCharacter = 2

/** When a keyword is checked: a pattern may take the square of a text's length. */
const lengthsToCheck: Record<string, (limits: Limits) => Code | undefined> = {
  pattern: ({ maxLength }) => atMost(maxLength && maxLength * maxUnitsPerCharacter),
  format: ({ maxLength }) => atMost(maxLength && maxLength * maxUnitsPerCharacter),
  uniqueItems: ({ maxItems }) => atMost(maxItems),
  maxLength: ({ maxLength }) => _`> ${maxLength}`,
  minLength: ({ minLength = 0 }) => _`< ${minLength * maxUnitsPerCharacter}`,
}

const atMost = (limit: number | undefined): Code | undefined =>
  limit === undefined ? undefined : _`<= ${limit}`

/** Skips keywords where the length alone decides, because the validator checks all. */
export function boundKeywords(ajv: Ajv2020): void {
  for (const [keyword, lengthOf] of Object.entries(lengthsToCheck)) {
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
