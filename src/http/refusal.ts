import { METHODS } from 'node:http'
import { InvalidRequest, ServiceError } from '../errors/errors.ts'

/** What Node's parser says of bytes that it does not take, with the piece in which they stand. */
export type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Undefined where there is nobody to answer. */
export function toRefusal({ code, rawPacket }: ClientError): ServiceError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('header_too_large', 'The request line and headers are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('client_timeout', 'The request did not arrive whole in time.')
  }
  const method = code === 'HPE_INVALID_METHOD' ? unknownMethod(rawPacket) : undefined
  if (method !== undefined) return unknown(method)
  if (code?.startsWith('HPE_')) {
    return new InvalidRequest([{ pointer: '', detail: 'is not an HTTP/1.1 request' }], 'What came')
  }
  return undefined
}

const maxLength = 1_024
const requestLine = /^([\w!#$%&'*+.^`|~-]{1,64}) [^ \r\n]+ HTTP\/1\.[01]\r\n/

/** Undefined too where the first of several requests is right, for then another one is wrong. */
function unknownMethod(packet: Buffer | undefined): string | undefined {
  const method = requestLine.exec(packet?.toString('latin1', 0, maxLength) ?? '')?.[1]
  return method === undefined || METHODS.includes(method) ? undefined : method
}

function unknown(method: string): ServiceError {
  const inCapitals = method.toUpperCase()
  const meant = METHODS.includes(inCapitals) ? `; did you mean ${inCapitals}?` : ''
  return new InvalidRequest([{ pointer: '', detail: `has no method ${method}${meant}` }], 'HTTP')
}
