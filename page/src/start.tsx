import { DatastoreMaker } from './datastore-choice.tsx'
import { SampleButton } from './sample.tsx'
import { Needs } from './shared/scopes.tsx'

/** The first steps, shown while there is no datastore. */
export function Start() {
  return (
    <Needs scope="datastores:write">
      <div class="start">
        <section aria-label="A sample">
          <h2>See an answer that can be checked</h2>
          <p>
            Ten documents of a small town library, in three kinds of file, and a question. The
            answer quotes one of them, and the quote is marked where it stands.
          </p>
          <Needs scope="agents:write">
            <SampleButton />
          </Needs>
        </section>
        <section aria-label="Your own documents">
          <h2>Or with your own documents</h2>
          <ol>
            <li>
              Make a datastore, which is a collection of documents.
              <DatastoreMaker />
            </li>
            <li>Drop your files there: PDF, DOCX, XLSX, HTML, Markdown and others.</li>
            <li>Ask, and press a number such as [1] to see the source.</li>
          </ol>
        </section>
      </div>
    </Needs>
  )
}
