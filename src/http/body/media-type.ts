import { parse } from 'content-type'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError, UnsupportedEncoding } from '../../errors/errors.ts'

const utf8Names = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Checks that a body is sent as JSON in UTF-8. @throws ServiceError `unsupported_media_type` */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const { type, parameters } = parse(headers['content-type'] ?? '')
  if (type !== 'application/json') {
    throw unsupported('Send the body as Content-Type: application/json.')
  }
  if (parameters.charset && !utf8Names.has(parameters.charset.toLowerCase())) {
    throw unsupported('Send the body in UTF-8, with no other charset in Content-Type.')
  }
  checkUncompressed(headers)
}

/** @throws ServiceError `unsupported_media_type` */
export function checkForm(headers: IncomingHttpHeaders): void {
  if (!typeOf(headers).startsWith('multipart/')) {
    throw unsupported('Send the file as multipart/form-data, or PUT it under a key as it is.')
  }
  checkUncompressed(headers)
}

/** Clients that send a file as text by mistake declare a text type. @throws ServiceError `unsupported_media_type` */
export function checkFile(headers: IncomingHttpHeaders): void {
  if (!['', 'application/octet-stream'].includes(typeOf(headers))) {
    throw unsupported('Send the file itself as Content-Type: application/octet-stream.')
  }
  checkUncompressed(headers)
}

const typeOf = ({ 'content-type': type = '' }: IncomingHttpHeaders): string => parse(type).type

/** @throws ServiceError `unsupported_media_type` */
function checkUncompressed({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new UnsupportedEncoding()
  }
}

const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail)
