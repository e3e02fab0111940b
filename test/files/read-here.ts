import type { FileText } from '../../src/files/file-text.ts'
import { Files } from '../../src/files/files.ts'
import { readFile } from '../../src/files/read-file.ts'
import { Deadline } from '../../src/process/deadline.ts'

type Sent = { name: string; mediaType?: string | undefined; bytes: Buffer }

/** As a server reads it, without a process for each. @throws ServiceError */
export const readHere = ({ name, mediaType = '', bytes }: Sent): Promise<FileText> => {
  const here = new Files({ read: readFile, close: () => undefined })
  return here.read({ name, mediaType, bytes }, 'default', new Deadline(600))
}
