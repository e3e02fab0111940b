/** A form of one file, as `uploadFile` takes it, and its media type. */
export const formType = 'multipart/form-data; boundary=form'

export function formOf(
  file: string | Buffer,
  { type = 'text/html', key = '' } = {},
): Buffer<ArrayBuffer> {
  const head = 'Content-Disposition: form-data; name="file"; filename="file"'
  const keyPart = `--form\r\nContent-Disposition: form-data; name="key"\r\n\r\n${key}\r\n`
  return Buffer.concat([
    Buffer.from(`${key && keyPart}--form\r\n${head}\r\nContent-Type: ${type}\r\n\r\n`),
    Buffer.from(file as Buffer),
    Buffer.from('\r\n--form--\r\n'),
  ])
}
