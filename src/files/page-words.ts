/** Whether a line says nothing but a number of a page: `17`, `- 17 -`, `Page 17 of 60`. */
export const isPageNumber = (line: string): boolean => pageWords.test(line)

const pageWords =
  /^(?:page|seite|pages?|p|s|of|von|de|sur|pagina|página|di|z|strona|oldal|sida|side|av|стр|страница|из|第|页|頁|共|ページ|[\s\d\p{P}\p{S}])*$/iv
