import { stringify } from 'yaml'
import { inlineAnswers } from './inline-answers.ts'
import { addPropertyExamples } from './property-examples.ts'
import { type Document, operationsOf } from './openapi.ts'
import { withProblemExamples, withScopes } from './expand-shorthands.ts'

/**
 * The contract as tools read it best: each operation with all of its parameters, its scope and answers of
 * its own, and an example for each property.
 */
export function toServedDocument<Contract extends object>(contract: Contract): Contract {
  const served = structuredClone(withScopes(withProblemExamples(contract)))
  const document = served as object as Document
  moveParameters(document)
  inlineAnswers(document)
  addPropertyExamples(document)
  return served
}

export const toYaml = (document: object): string =>
  stringify(document, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 })

/** Copies the parameters of a path into its operations, because Swagger UI may show them without names. */
function moveParameters({ paths }: Document): void {
  for (const item of Object.values(paths)) {
    const { parameters: shared = [] } = item
    delete item.parameters
    if (shared.length === 0) continue
    for (const operation of operationsOf(item)) {
      operation.parameters = [...shared, ...(operation.parameters ?? [])]
    }
  }
}
