import { PreconditionFailed } from '../errors/errors.ts'
import type { Check, DatasourceInfo } from '../store/types.ts'

/** Whether a thing of that revision may be changed; there is none where it is undefined. */
export type Precondition = (rev: number | undefined) => boolean

/** No two versions of a document are stamped with the same time. */
export const revisionOf = ({ updatedAt }: DatasourceInfo): number => Date.parse(updatedAt)

/** @returns what throws PreconditionFailed */
export const checkOf =
  (allows: Precondition): Check =>
  (current) => {
    const rev = current && revisionOf(current)
    if (!allows(rev)) throw new PreconditionFailed(rev)
  }
