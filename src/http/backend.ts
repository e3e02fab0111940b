import { OpenAPIBackend, OpenAPIValidator } from 'openapi-backend'
import { createAjvFactory } from './validation.ts'

/** Its own check knows OpenAPI 3.0 only; the document is linted before it gets here. */
export class Backend extends OpenAPIBackend {
  override validateDefinition(): typeof this.document {
    return this.document
  }
}

/** Checks requests; compiled now, so that a schema that is wrong stops the start. */
export function createValidator({ definition, router }: Backend): OpenAPIValidator {
  const validator = new OpenAPIValidator({
    definition,
    router,
    ajvOpts: {},
    coerceTypes: true,
    customizeAjv: createAjvFactory(),
    lazyCompileValidators: true,
  })
  validator.preCompileRequestValidators()
  return validator
}
