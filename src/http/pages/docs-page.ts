import { page } from './page.ts'

export const docsPage = page(
  'Agents and Datastores: every operation',
  `<main>
<section class="steps" aria-label="First steps">
<ol>
<li><button type="button" id="give-key">Give your key</button></li>
<li><a href="#/datastores/createDatastore">Make a datastore</a></li>
<li><a href="#/datastores/upsertDocuments">Put documents in</a></li>
<li><a href="#/datastores/queryDatastore">Ask</a></li>
</ol>
<p>Press <b>Try it out</b>, then <b>Execute</b>. The ids in an answer are filled in where they are needed
next. <a href="changes">What is new</a></p>
</section>
<div id="swagger-ui"></div>
</main>
<script src="docs/swagger-ui-bundle.js"></script>`,
  { styles: ['swagger-ui.css', 'docs.css'], scripts: ['docs.js'] },
)
