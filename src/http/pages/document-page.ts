import { page } from './page.ts'

/** Shows the document that the part of the address behind # names, to whoever has a key. */
export const documentPage = page(
  'Agents and Datastores: a document',
  `<main>
<h1 id="title">A document</h1>
<p id="state" role="status"></p>
<form id="give-key" hidden>
<label>Your key <input type="password" autocomplete="off" required></label>
<button>Read</button>
<p>The key may be of any reader. This tab keeps it until it is closed, and sends it to this server alone.</p>
</form>
<dl id="about"></dl>
<pre id="text" tabindex="0" hidden></pre>
<p><a href="./">Back to the start</a></p>
</main>`,
  { scripts: ['document.js'] },
)
