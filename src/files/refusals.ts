import { ServiceError } from '../errors/errors.ts'

export const broken = (): ServiceError =>
  new ServiceError('unreadable_file', 'The file is broken: it cannot be read to its end.')

export const encrypted = (): ServiceError =>
  new ServiceError('unreadable_file', 'The file is encrypted. Save it without a password.')

export const unpacksTooLarge = (): ServiceError =>
  new ServiceError('unreadable_file', 'The file unpacks to more than a file may.')

export const nestedTooDeep = (): ServiceError =>
  new ServiceError('unreadable_file', 'The file is nested deeper than any text is.')

export const noText = (): ServiceError =>
  new ServiceError('no_text', 'The file has no text. Pictures, as in a scan, are not read.')

export const textTooLong = (most: number): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The text of the file is longer than ${most} characters, the most of a datasource. Upload it in parts.`,
  )

const kinds =
  'PDF, DOCX, PPTX, XLSX, ODT, ODS, EPUB, HTML, EML, MBOX, MHTML, ICS, VCF, VTT, SRT, IPYNB, RSS and Atom'

export const unsupported = (): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `By its content the file is neither text nor one of ${kinds}.`,
  )

/** @param what as in `The file is a picture (PNG).` */
export const foreign = (what: string, wayOut: string): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `By its content the file is ${what}, which is not read. ${wayOut}`,
  )
