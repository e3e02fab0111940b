import { PreconditionFailed } from '../errors/errors.ts'
import type { Check, DatasourceInfo } from '../store/types.ts'

/** Changes with each change of a record. It is a text if several records determine it. */
export type Revision = number | string

/** Whether a record of that revision may be changed. Undefined stands for a missing record. */
export type Precondition = (rev: Revision | undefined) => boolean

/** Two versions of a document never have the same time. */
export const revisionOf = ({ updatedAt }: DatasourceInfo): number => Date.parse(updatedAt)

/** @returns a check that throws PreconditionFailed */
export const checkOf =
  (allows: Precondition): Check =>
  (current) => {
    const rev = current && revisionOf(current)
    if (!allows(rev)) throw new PreconditionFailed(rev)
  }
