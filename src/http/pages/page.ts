type Options = { root?: string; styles?: string[]; scripts?: string[] }

/** Links are relative, so that they work behind any prefix. `root` leads to the folder of the pages. */
export const page = (
  title: string,
  body: string,
  { root = '', styles = ['colours.css', 'style.css'], scripts = [] }: Options = {},
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${styles.map((style) => `<link rel="stylesheet" href="${root}docs/${style}">\n`).join('')}<link rel="icon" type="image/svg+xml" href="${root}docs/icon.svg">
${scripts.map((script) => `<script type="module" src="${root}docs/${script}"></script>\n`).join('')}</head>
<body>
${body}
</body>
</html>
`

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A paragraph of Markdown, with code and nothing else in it. */
export const toHtml = (markdown: string): string =>
  escaped(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
