/** A file as it was sent; its name and media type are "" where none was sent, and may be wrong. */
export type UploadedFile = { name: string; mediaType: string; bytes: Buffer }

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes)
