import { Failure } from '../shared/failure.tsx'
import { Field } from '../shared/form.tsx'
import { withMetadata } from './upload.ts'

type Props = { value: string; onValue: (lines: string) => void }

/** Takes the metadata of documents that are put in from now on. */
export const MetadataField = ({ value, onValue }: Props) => (
  <details>
    <summary>Metadata for new documents</summary>
    <Field label="One key = value per line" rows={2} value={value} onValue={onValue} />
    <p class="quiet">For example: custom_id = main-street</p>
    <Failure error={faultOf(value)} />
  </details>
)

function faultOf(lines: string): unknown {
  try {
    withMetadata(lines)
    return undefined
  } catch (error) {
    return error
  }
}
