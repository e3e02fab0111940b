import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isUploadedFile } from '../../files/uploaded-file.ts'

/** Adds the keyword of a part of a form that is a file; `form.ts` has read it. */
export function addFilePart(ajv: Ajv2020): void {
  ajv.addKeyword({ keyword: 'x-file', errors: true, validate: checkFile })
}

const checkFile: SchemaValidateFunction = (_: boolean, value: unknown) => {
  if (isUploadedFile(value)) return true
  const message = 'must be a file, one part with a filename'
  checkFile.errors = [{ keyword: 'x-file', params: {}, message }]
  return false
}
